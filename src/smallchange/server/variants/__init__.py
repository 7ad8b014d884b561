"""Boards and maps that people draw and keep."""
