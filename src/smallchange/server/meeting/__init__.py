"""Meeting other players: the lobby, challenges, seeks, profiles, watching."""
