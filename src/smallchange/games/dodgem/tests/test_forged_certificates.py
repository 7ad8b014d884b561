"""Both checkers of certificates accept one file for a board, a rule and a choice of placements, and no forged one.

FORGE_SECONDS says for how long random forgeries are tried, 600 for ten minutes.
"""

import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from math import comb, prod
from pathlib import Path
from random import Random

import pytest
import zstandard

import smallchange
from smallchange import BadTable
from smallchange.tablebase.blockade import few_steps, lanes_of
from smallchange.tablebase.certificate import (
    BLOCKED,
    LEVEL,
    SKIPPED,
    Certificate,
    certificate_of,
    check_certificate,
    index_line,
    make_certificate,
    open_certificate,
)

CHECKER = Path(__file__).parents[5] / "research" / "check_certificate.c"
FORGE_SECONDS = float(os.environ.get("FORGE_SECONDS", "2"))
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def make(folder: Path, rule: str, size: int = 4, start: str = "facing", steps: int = 2) -> Path:
    lanes = lanes_of(size, start, BLOCKED[rule])
    file = folder / f"{size}-{start}-{rule}"
    make_certificate(file, Certificate(size, start, rule, few_steps(lanes, steps)))
    return file


def content_of(file: Path) -> bytes:
    with file.open("rb") as packed:
        return zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read()


def head_of(content: bytes) -> bytes:
    lines = content.split(b"\n", 2)
    count = int(lines[1].split()[-1])
    return b"".join(line + b"\n" for line in content.split(b"\n", 2 + count)[: 2 + count])


def pack(file: Path, content: bytes, like: Path) -> Path:
    """Write a file of this content, all digests right, in frames as those of another file."""
    honest = open_certificate(like)
    at = len(honest.certificate.head()) - len(content_of(like)) + len(content)  # where rows begin
    packed = zstandard.compress(content[:at], LEVEL)
    with file.open("wb") as out:
        out.write(packed)
        layers = []
        for layer in honest.layers:
            begin, profiles = out.tell(), []
            for about in layer["profiles"]:
                plane = honest.planes(tuple(about["pieces"]))
                size = 4 + sum(part.nbytes for part in plane)
                unit = zstandard.compress(content[at : at + size], LEVEL)
                profiles.append({**about, "at": out.tell(), "sizes": [len(unit)]})
                out.write(unit)
                at += size
            body = out.tell() - begin
            layers.append({**layer, "bytes": body, "profiles": profiles})
    raw = file.read_bytes()
    for layer in layers:
        first = layer["profiles"][0]["at"]
        layer["sha256"] = hashlib.sha256(raw[first : first + layer["bytes"]]).hexdigest()
    line = index_line(packed, layers)
    line += len(line).to_bytes(8, "little")
    file.write_bytes(raw + SKIPPED + len(line).to_bytes(4, "little") + line)
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forged")


@pytest.fixture(scope="module")
def checker(folder: Path) -> Path:
    sound = ["-fsanitize=address,undefined", "-fno-sanitize-recover"]
    subprocess.run(["cc", "-O1", *sound, "-o", folder / "check", CHECKER], check=True)
    return folder / "check"


@pytest.fixture(scope="module")
def honest(folder: Path) -> Path:
    return make(folder, "pass")


def refused_by_c(checker: Path, content: bytes) -> bool:
    """Return whether the checker refuses. It must say why, and end by itself."""
    ran = subprocess.run([checker], input=content, capture_output=True, check=False)
    if ran.returncode == 0:
        return False
    assert ran.returncode == 1, ran.stderr
    assert re.match(rb"WRONG: |\d+ positions are held; .*\bnot held", ran.stdout), ran
    return True


def refused_by_wheel(file: Path) -> bool:
    try:
        return check_certificate(file).holds_start() != (True, True)
    except BadTable:
        return True


def flip(content: bytes, bit: int) -> bytes:
    return content[: bit // 8] + bytes([content[bit // 8] ^ 1 << bit % 8]) + content[bit // 8 + 1 :]


def forgeries(content: bytes) -> Iterator[bytes]:
    """Yield some 250 contents that are wrong: emptied or filled rows, single bits, other heads, other ends."""
    head, luck = head_of(content), Random(3)
    rows = content[len(head) :]
    words = int(head.split(b"\n")[1].split()[3])
    starts, at = [], 0
    while at < len(rows):
        lead = rows[at : at + 4]
        size = 4 + 8 * words * prod(comb(4, n) for n in lead)
        starts.append((at, size))
        at += size
    for at, size in starts:
        for fill in (b"\0", b"\xff"):
            forged = rows[: at + 4] + fill * (size - 4) + rows[at + size :]
            if forged != rows:
                yield head + forged
        yield head + rows[:at] + rows[at + size :]
    yield head
    yield head + b"\0\0\0\0" + b"\xff" * 8 * words + rows
    yield head + b"".join(rows[at : at + 4] + b"\xff" * (size - 4) for at, size in starts)
    for line, other in (
        (b"4 facing", b"3 facing"),
        (b"4 facing", b"5 facing"),
        (b"4 facing", b"4 crosswise"),
        (b"4 facing", b" 4 facing"),
        (b"4 facing", b"04 facing"),
        (b"blockade 1", b"blockade 2"),
        (b"facing pass", b"facing pass "),
        (b"\n0 ", b"\n1 "),
        (b"\n0 ", b"\n-1 "),
        (b" 7\n", b" 07\n"),
        (b" 7\n", b" 7\x0b"),
        (b" 7\n", b" 3\n"),
    ):
        assert line in head
        yield content.replace(line, other, 1)
    for _ in range(60):
        yield flip(content, luck.randrange(8 * len(content)))
    for _ in range(40):
        yield flip(content, luck.randrange(8 * len(head)))
    yield content[:-1]
    yield content + b"\0"


def test_what_is_honest_is_accepted_by_both(folder: Path, checker: Path, honest: Path) -> None:
    for file in (honest, make(folder, "wins"), make(folder, "loses"), make(folder, "wins", 5, steps=3)):
        assert not refused_by_c(checker, content_of(file))
        assert not refused_by_wheel(file)
    wall = folder / "wall"
    make_certificate(wall, certificate_of(smallchange.game("dodgem", blocked="loses")))
    assert not refused_by_c(checker, content_of(wall))
    assert not refused_by_wheel(wall)
    assert pack(folder / "again", content_of(honest), honest).read_bytes() == honest.read_bytes()


def test_two_hundred_forgeries_are_refused_by_both(folder: Path, checker: Path, honest: Path) -> None:
    content, n = content_of(honest), 0
    for forged in forgeries(content):
        assert forged != content
        assert refused_by_c(checker, forged), n
        assert refused_by_wheel(pack(folder / "forged", forged, honest)), n
        n += 1
    assert n >= 200


def test_another_rule_is_refused_where_it_holds_other_positions(
    folder: Path, checker: Path, honest: Path
) -> None:
    others = {rule: content_of(make(folder, rule, 4, "facing", 3)) for rule in BLOCKED}
    differ = 0
    for rule, content in others.items():
        for other, meant in others.items():
            forged = content.replace(f"facing {rule}".encode(), f"facing {other}".encode(), 1)
            assert refused_by_c(checker, forged) == (forged != meant)
            differ += forged != meant
    assert differ


def test_where_red_wins_no_file_says_a_draw(folder: Path, checker: Path) -> None:
    for steps in range(5):
        file = make(folder, "pass", 3, "crosswise", steps)
        content = content_of(file)
        head = head_of(content)
        words = int(head.split(b"\n")[1].split()[3])
        assert refused_by_c(checker, content)
        assert refused_by_wheel(file)
        for lead in (b"\0\0\0", b"\0\0\1", b"\2\0\0"):
            assert refused_by_c(checker, head + lead + b"\xff" * 8 * words * (1 if lead == b"\0\0\0" else 3))


def test_one_bit_anywhere_in_the_file_is_refused(folder: Path, honest: Path) -> None:
    whole, luck = honest.read_bytes(), Random(5)
    for bit in [*luck.sample(range(8 * len(whole)), 60), *range(8 * len(whole) - 128, 8 * len(whole), 3)]:
        (folder / "flipped").write_bytes(flip(whole, bit))
        assert refused_by_wheel(folder / "flipped"), bit


@pytest.mark.timeout(FORGE_SECONDS + 120)
def test_random_forgeries_are_refused_and_crash_nothing(checker: Path, honest: Path, folder: Path) -> None:
    seed = int(os.environ.get("FORGE_SEED", "1"))
    luck, content, packed = Random(seed), content_of(honest), honest.read_bytes()
    end = time.monotonic() + FORGE_SECONDS
    while time.monotonic() < end:
        forged = mutation(luck, content)
        if forged != content:
            assert refused_by_c(checker, forged)
        (folder / "random").write_bytes(damaged := mutation(luck, packed))
        if damaged != packed:
            assert refused_by_wheel(folder / "random")


def mutation(luck: Random, content: bytes) -> bytes:
    """Return bytes with one to three pieces flipped, written over, taken out, or said twice."""
    for _ in range(luck.randint(1, 3)):
        at = luck.randrange(len(content) + 1) if luck.random() < 0.7 else luck.randrange(200)
        length = luck.choice((1, 1, 2, 4, 8, 100))
        piece = content[at : at + length]
        with_it = luck.choice((b"", piece * 2, luck.randbytes(length), b"\0" * length, b"9" * length))
        content = content[:at] + with_it + content[at + length :]
    return content
