"""The compiled part of search, play-outs and solving, in the dialect: the same for every game."""
