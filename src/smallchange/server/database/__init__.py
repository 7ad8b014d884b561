"""The database: engines, group commit, the schema, backups, retention, the bus."""
