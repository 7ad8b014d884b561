"""Notifications: on the page, by mail and by push."""
