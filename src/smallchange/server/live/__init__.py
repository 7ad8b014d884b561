"""Live tables over WebSockets: connections, the tables that each follows, and the messages in both directions."""
