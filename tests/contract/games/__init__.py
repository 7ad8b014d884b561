"""Games as strangers write them, for tests."""
