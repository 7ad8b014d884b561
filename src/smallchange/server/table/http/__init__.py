"""The web of tables: pages, forms, calls of the API and the WebSocket."""
