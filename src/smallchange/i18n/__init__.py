"""Phrases in every language: English in the code, translations in catalogues that are found by looking."""
