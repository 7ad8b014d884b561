"""Storage: tables and accounts as rows in SQLite or PostgreSQL."""
