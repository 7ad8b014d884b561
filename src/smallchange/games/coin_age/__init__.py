"""Coin Age, by Adam P. McIver (2013): two players, coin tosses."""
