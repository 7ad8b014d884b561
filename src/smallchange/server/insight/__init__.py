"""Hints, reviews, analysis, odds and lessons."""
