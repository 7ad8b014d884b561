"""The Royal Game of Ur, from Mesopotamia (about 2600 BC): two players, four coins thrown, captures."""
