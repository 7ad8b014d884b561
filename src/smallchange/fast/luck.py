"""The luck of bulk simulation: 64-bit words that depend only on seed, game, source and asking.

Word number k (from 0) of stream o in game g under a seed is

    mixed(start + (k + 1) * GOLDEN)    where start = mixed(mixed(mixed(seed) + g) + o)

modulo 2^64. `mixed` is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014; its constants are David Stafford's variant 13 of MurmurHash3's), so each
stream is SplitMix64 from a start of its own. Streams 0.. are the choices of the seats, streams CHOICES..
the physical objects. Hence the same seed gives the same games in any number of workers, and the same
deals under other options and policies. This is not HMAC: for secrets and proofs there is `dice.py`.

The text of this file runs as it stands, and compiled by Numba (see `weave.py`), where a word is a uint64.
"""

from .twins import whole, word

GOLDEN = word(0x9E3779B97F4A7C15)
FIRST = word(0xBF58476D1CE4E5B9)
SECOND = word(0x94D049BB133111EB)
ALL = word(0xFFFFFFFFFFFFFFFF)
LOW = word(0xFFFFFFFF)
CHOICES = 8  # streams of the seats; those of chance's objects follow


def mixed(z: int) -> int:
    """Every bit of the result depends on every bit of `z`; no two words give the same result.

    >>> hex(mixed(GOLDEN))  # the first word of SplitMix64 from 0
    '0xe220a8397b1dcdaf'
    """
    z = ((z ^ (z >> word(30))) * FIRST) & ALL
    z = ((z ^ (z >> word(27))) * SECOND) & ALL
    return z ^ (z >> word(31))


def open_streams(streams: list[int], seats: int, seed: int, g: int) -> None:
    """Set every stream to its start in game `g`: those of the seats, then those of chance's objects."""
    here = mixed((mixed(word(seed)) + word(g)) & ALL)
    for i in range(len(streams)):
        o = i if i < seats else CHOICES + i - seats
        streams[i] = mixed((here + word(o)) & ALL)


def imagined(seed: int) -> int:
    """The seed of what a search imagines in games of a seed: another one, so that it does not see what comes.

    >>> imagined(0) != 0, imagined(7) == mixed(7)
    (True, True)
    """
    return mixed(word(seed)) if seed != 0 else GOLDEN  # mixed(0) is 0


def below(streams: list[int], i: int, n: int) -> int:
    """The next number of a stream, from 0 to n - 1, all equally likely; n is less than 2^32.

    Lemire, "Fast random integer generation in an interval" (2019), on the upper 32 bits of a word. A
    rejected word is mixed again, so that an asking never takes words of the next.

    >>> int(below([0], 0, 100))
    88
    """
    streams[i] = (streams[i] + GOLDEN) & ALL
    z = mixed(streams[i])
    product = (z >> word(32)) * word(n)
    if product & LOW < word(n):
        least = (LOW - word(n) + word(1)) % word(n)
        while product & LOW < least:
            z = mixed((z + GOLDEN) & ALL)
            product = (z >> word(32)) * word(n)
    return whole(product >> word(32))  # type: ignore[return-value]  # a number of numpy's
