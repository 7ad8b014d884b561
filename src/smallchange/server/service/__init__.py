"""The services beside the requests: tables in memory, bots, hints, reviews, accounts, rate limits, the bus."""
