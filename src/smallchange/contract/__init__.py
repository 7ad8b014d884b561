"""The promises that every game keeps, as tests: `pytest --pyargs smallchange.contract --game NAME`.

Without `--game` the tests are those of the games in this package. They need pytest and hypothesis.
"""
