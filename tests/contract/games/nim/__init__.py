"""Nim: take coins from one of three heaps."""
