"""Random numbers for simulation: 64-bit words that depend only on seed, game, stream and index.

Word number k (from 0) of stream o in game g under a seed is

    mix(start + (k + 1) * GOLDEN)    where start = mix(mix(mix(seed) + g) + o)

modulo 2^64. `mix` is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014; its constants are David Stafford's variant 13 of MurmurHash3's), so each
stream is SplitMix64 from a start of its own. Streams 0.. are the choices of the seats, streams FIRST_OBJECT..
the physical objects. Hence the same seed gives the same games in any number of workers, and the same
deals under other options and policies. This is not HMAC: for secrets and proofs there is `core/commitment.py`.

This file runs as it stands, and compiled by Numba, where a word is a uint64.
"""

from smallchange.engine.compile.runtime_python import whole, word

GOLDEN = word(0x9E3779B97F4A7C15)
FIRST = word(0xBF58476D1CE4E5B9)
SECOND = word(0x94D049BB133111EB)
ALL = word(0xFFFFFFFFFFFFFFFF)
LOW = word(0xFFFFFFFF)
FIRST_OBJECT = 8  # of the streams: those before are of the seats


def mix(z: int) -> int:
    """Return a word every bit of which depends on every bit of `z`; the map is one to one.

    >>> hex(mix(GOLDEN))  # the first word of SplitMix64 from 0
    '0xe220a8397b1dcdaf'
    """
    z = ((z ^ (z >> word(30))) * FIRST) & ALL
    z = ((z ^ (z >> word(27))) * SECOND) & ALL
    return z ^ (z >> word(31))


def open_streams(streams: list[int], seats: int, seed: int, g: int) -> None:
    """Set every stream to its start in game `g`: those of the seats, then those of chance's objects."""
    here = mix((mix(word(seed)) + word(g)) & ALL)
    for i in range(len(streams)):
        o = i if i < seats else FIRST_OBJECT + i - seats
        streams[i] = mix((here + word(o)) & ALL)


def search_seed(seed: int) -> int:
    """Return the seed of a search's samples in games of a seed.

    It is another one, so that the search does not see the throws to come.

    >>> search_seed(0) != 0, search_seed(7) == mix(7)
    (True, True)
    """
    return mix(word(seed)) if seed != 0 else GOLDEN  # mix(0) is 0


def below(streams: list[int], i: int, n: int) -> int:
    """Return the next number of stream i, from 0 to n - 1, all equally likely; n is less than 2^32.

    Lemire, "Fast random integer generation in an interval" (2019), on the upper 32 bits of a word. A
    rejected word is mixed again, so that a draw never takes words of the next.

    >>> int(below([0], 0, 100))
    88
    """
    streams[i] = (streams[i] + GOLDEN) & ALL
    z = mix(streams[i])
    product = (z >> word(32)) * word(n)
    if product & LOW < word(n):
        least = (LOW - word(n) + word(1)) % word(n)
        while product & LOW < least:
            z = mix((z + GOLDEN) & ALL)
            product = (z >> word(32)) * word(n)
    return whole(product >> word(32))  # type: ignore[return-value]  # a number of numpy's
