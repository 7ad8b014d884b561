"""Everything that all pages and calls share: security, sessions, forms, languages, templates."""
