"""A record reads back to an equal match, and whatever is wrong with one is said once, clearly."""

import contextlib
import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import smallchange
from smallchange.core import record
from smallchange.core.commitment import Envelope
from smallchange.core.record_text import text_digest

GAMES = smallchange.games()
LUCKY = [id for id in GAMES if smallchange.game(id).sources]
ALONE = "\ud800"  # half a character: JSON can say it, nothing can be written with it
FIELDS = ["game", "rules", "options", "seats", "steps", "deal", "seal", "secret", "words", "result"]
FIELDS += ["take", "actor", "legal", "ended", "by"]
ODD: list[object] = [
    ALONE,
    {ALONE: ALONE},
    {"red": ALONE},
    [ALONE],
    {"ended": ALONE},
    {"ended": "resigned", "by": ALONE},
]
ODD += [None, {}, [], "", 0, True, "dodgem", {"size": ALONE}, "0" * 64]


def match_of(
    id: str,
    seed: int,
    steps: int = 10_000,
    envelope: Envelope | None = None,
    options: dict[str, object] | None = None,
) -> smallchange.Match:
    """Return a match of random moves, with its luck from a deal."""
    luck = random.Random(seed)
    deal = envelope.deal() if envelope else luck.randbytes(16)
    match = smallchange.Match(smallchange.game(id, **(options or {})), deal, envelope=envelope)
    match.settle()
    while not match.over and len(match) < steps:
        match.play(luck.choice(match.position.legal()))
        match.settle()
    return match


BEFORE = [
    r"""[Game "coin-age"]
[Rules 2]
[Option quiet_limit 4]
[Seat heads "Ann \"A\" 安"]
[Practice "abc"]
[Seal "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"]
[Words heads "apple"]
[Secret "0000000000000000000000000000000000000000000000000000000000000000"]
[Deal "07890ce233cdad079b0a8c1f5d049109"]

(1=H 2=H 3=H 4=T)
1. heads: 1@a1 2@a2 (1=T 2=T 3=H 4=H)
2. tails: 1@a2
= {"ended": "resigned", "by": "tails"}
digest 4107fef0a38cc53ca7f2936d30e86e846a8f62672815739e1bb83ddb384f2100
""",
    """[Game "coin-collectors"]
[Rules 1]
[Deal "00000000000000000000000000000000"]

(a1=Sn b1=S2 c1=Ca d1=An e1=Sa a2=Ma b2=A4 c2=S5 d2=M3 e2=Mn a3=Aa b3=M2 d3=A3 e3=C5 a4=A5 b4=Cn
   c4=A2 d4=C2 e4=S3 a5=M4 b5=M5 c5=C4 d5=C3 e5=S4 a1:n b1:3 c1:2 d1:5 e1:3 a2:2 b2:5 c2:n d2:5 e2:2
   a3:2 b3:a d3:3 e3:4 a4:n b4:a c4:n d4:4 e4:4 a5:a b5:5 c5:3 d5:4 e5:a S=5 M=2 C=3 A=3)
1. Sd3 roll:SMCA (S=4 M=n C=4 A=3)
2. Se3 roll:SMCA (S=2 M=5 C=a A=a)
= {"ended": "resigned", "by": "player"}
digest 7e5eeffa2e6b8236e2b845c734e404f074eb725c94f8722dfbb506eb3d217e53
""",
    r"""[Game "thrag"]
[Rules 1]
[Seal "a52d8bbf19c0a1fb35d96e51fd4f571f925253cd7b7c11414a29ac1bb0a37608"]
[Secret "4ce102865831fce1753464416219b9896afbc72863c4ada834a9a42372a5d20c"]
[Deal "3d48910e59ecfe72b0416286fefb25fc"]

(S:2 C:a A:a S=n C=2 A=3 M=3)
1. weapon:S (S=n)
2. fight:A pay:4
= {"ended": "resigned", "by": "player"}
digest 2cc57f9f75a31cbecacee3dfde264397a65ee16289006404fa4466715c9c9987
""",
]
EARLIER = (
    BEFORE[0].replace("[Rules 2]", "[Rules 1]").rpartition("digest")[0]
)  # it has nothing of what changed
EARLIER += f"digest {text_digest(EARLIER)}\n"


@pytest.mark.parametrize("text", BEFORE)
def test_a_record_written_before_still_verifies(text: str) -> None:
    """It does where it is what its match is written as, byte for byte."""
    match = record.verify(text)
    assert record.write(match) == text
    assert record.verify(record.to_json_text(match)) == match


def test_a_record_of_an_earlier_version_is_read_where_nothing_of_it_changed() -> None:
    match = record.verify(EARLIER)
    assert match == record.read(BEFORE[0])
    said = record.to_json(match) | {"rules": 1}
    said["digest"] = text_digest(json.dumps({name: said[name] for name in said if name != "digest"}))
    assert record.verify(json.dumps(said)) == match


def test_a_record_of_an_earlier_version_is_refused_by_name_where_the_rules_have_changed() -> None:
    """A match on lagoon that the regions of version 1 gave to the other player."""
    text = record.write(match_of("coin-age", 8, options={"map": "lagoon"}))
    before = text.replace("[Rules 2]", "[Rules 1]").replace('"winner": "tails"', '"winner": "heads"')
    assert '"winner": "tails"' in text
    with pytest.raises(
        smallchange.BadRecord, match="follows version 1 of the rules of coin-age; here is 2, by"
    ):
        record.read(before)


def test_a_name_keeps_its_own_marks() -> None:
    played = match_of("dodgem", 5)
    match = smallchange.Match(played.game, played.deal, {"red": "“Zoë” – O’Hara"})
    for step in played:
        match.play(step.token)
    assert record.verify(record.write(match)) == match


@pytest.mark.parametrize("id", GAMES)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 120))
@settings(max_examples=10, deadline=None)
def test_a_record_reads_back_to_an_equal_match(id: str, seed: int, steps: int) -> None:
    match = match_of(id, seed, steps)
    for again in (record.read(record.write(match)), record.from_json(record.to_json(match))):
        assert again == match
        assert again.position == match.position


@pytest.mark.parametrize("id", GAMES)
def test_a_match_that_was_resigned_reads_back_and_verifies(id: str) -> None:
    match = match_of(id, 4, 6)
    match.end("resigned", match.game.seats[0])
    for text in (record.write(match), record.to_json_text(match)):
        assert record.verify(text) == match
        assert record.read_any(text).result == {"ended": "resigned", "by": match.game.seats[0]}
    with pytest.raises(smallchange.IllegalMove):
        match.play(next(iter(match.position)))


@pytest.mark.parametrize("how", ["timeout", "abandoned", "abandoned-draw", "aborted"])
def test_a_match_that_its_clock_ended_reads_back_and_verifies(how: str) -> None:
    id = next(id for id in GAMES if len(smallchange.game(id).seats) == 2)
    match = match_of(id, 4, 6)
    by = "" if how == "aborted" else match.game.seats[1]
    with pytest.raises(ValueError, match="a player ends it"):
        match.end(how, "" if by else match.game.seats[1])
    match.end(how, by)
    for text in (record.write(match), record.to_json_text(match)):
        assert record.verify(text) == match
        assert record.read_any(text).result == {"ended": how} | ({"by": by} if by else {})
    assert match.ending.en


@pytest.mark.parametrize("id", GAMES)
def test_a_draw_is_agreed_by_two_alone(id: str) -> None:
    match = match_of(id, 4, 6)
    if len(match.seats) == 1:
        with pytest.raises(ValueError, match="by two"):
            match.end("agreed")
        return
    match.end("agreed")
    assert match.result == {"ended": "agreed"}
    assert record.verify(record.write(match)) == match
    with pytest.raises(ValueError, match="over already"):
        match.end("agreed")


@pytest.mark.parametrize(
    "ending",
    [
        '{"ended": "resigned", "by": "nobody"}',
        '{"ended": "bored"}',
        '{"ended": "bored", "by": "heads"}',
        '{"ended": []}',
        '{"ended": "agreed", "by": 0}',
        '{"ended": "agreed", "by": "heads"}',
    ],
)
def test_an_ending_that_cannot_be_is_refused(ending: str) -> None:
    text = record.write(match_of("coin-age", 4, 6))
    with pytest.raises(smallchange.BadRecord):
        record.read(text.replace("= unfinished", f"= {ending}"))


@pytest.mark.parametrize("id", GAMES)
def test_the_same_deal_and_choices_write_the_same_bytes(id: str) -> None:
    assert record.write(match_of(id, 5)) == record.write(match_of(id, 5))


@pytest.mark.parametrize("id", GAMES)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_any_altered_byte_of_a_finished_record_makes_verify_fail(id: str, data: st.DataObject) -> None:
    text = record.write(match_of(id, 3))
    assert record.verify(text).over
    i = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("\n #[]()=aS19é").filter(lambda c: c != text[i]))
    with pytest.raises(smallchange.BadRecord):
        record.verify(text[:i] + other + text[i + 1 :])


@pytest.mark.parametrize("id", GAMES)
def test_json_may_be_spelt_otherwise_and_still_verifies(id: str) -> None:
    played = match_of(id, 3)
    match = smallchange.Match(played.game, played.deal, dict.fromkeys(played.seats, "Åsa"))
    for step in played:
        match.play(step.token)
    said = json.loads(record.to_json_text(match))
    for text in (json.dumps(said, indent=1), json.dumps(dict(reversed(said.items())), separators=(",", ":"))):
        assert record.verify(text) == match


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('"rules"', '"rules": 1, "rules"', "'rules' stands twice"),
        ('"result"', '"more": true, "result"', "altered"),
        ('"rules": 1', '"rules": 1.0', "version 1.0"),
        ('"seats": {}', '"seats": null', "altered"),
        ('"digest": "', '"digest": "0', "altered"),
        ('"words": {}, ', "", "altered"),
    ],
)
def test_json_that_says_something_else_is_altered(before: str, after: str, says: str) -> None:
    text = record.to_json_text(match_of("dodgem", 3))
    assert before in text
    with pytest.raises(smallchange.BadRecord, match=says):
        record.verify(text.replace(before, after, 1))


@pytest.mark.parametrize("id", GAMES)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_a_record_cut_off_anywhere_is_one_clear_error(id: str, data: st.DataObject) -> None:
    text = record.write(match_of(id, 4))
    end = data.draw(st.integers(0, text.index("\n= ")))
    with pytest.raises(smallchange.BadRecord) as wrong:
        record.read(text[:end])
    assert "\n" not in str(wrong.value)
    whole = record.to_json_text(match_of(id, 4))
    with pytest.raises(smallchange.BadRecord):
        record.read_any(whole[: end % len(whole.rstrip())])


@given(
    text=st.text(alphabet=st.sampled_from('[]()="{}:.,# \n12aGameRulesOption dodgem-'), max_size=200)
    | st.text()
)
@settings(max_examples=120, deadline=None)
def test_no_text_at_all_ends_in_another_error(text: str) -> None:
    for words in (text, f'[Game "dodgem"]\n{text}', f"{{{text}"):
        with contextlib.suppress(smallchange.BadRecord):
            record.read_any(words)


@given(
    said=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=()), max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(FIELDS) | st.just(ALONE),
                inner | st.sampled_from(GAMES),
                max_size=6,
            )
        ),
        max_leaves=12,
    )
)
@settings(max_examples=120, deadline=None)
def test_no_json_at_all_ends_in_another_error(said: object) -> None:
    refuse(said)


@given(said=st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(ODD), min_size=1))
@settings(max_examples=120, deadline=None)
def test_no_odd_value_in_a_good_record_ends_in_another_error(said: dict[str, object]) -> None:
    fresh = Envelope.create()
    good = record.to_json(match_of("dodgem", 4, 6, Envelope(fresh.seal, (("red", "x"),), fresh.secret)))
    step = {"take": good["steps"][0], "actor": "red"}
    refuse(good | said)
    refuse(good | {"steps": [step | said]})


def refuse(said: object) -> None:
    """Read it; if it is no record, what is said of it can be sent and printed."""
    try:
        record.from_json(said)
        record.read_any(json.dumps(said))
    except smallchange.BadRecord as wrong:
        str(wrong).encode()


@pytest.mark.parametrize("read", [record.read, record.verify, smallchange.Position.parse])
def test_what_is_no_text_is_one_clear_error(read: Callable[[Any], object]) -> None:
    for no_text in (None, 3, b"[Game", Path("match.txt")):
        with pytest.raises(ValueError, match=r"is text, not "):
            read(no_text)


@pytest.mark.parametrize("value", ["1" * 5000, "[" * 100_000])
def test_json_that_python_does_not_read_is_one_clear_error(value: str) -> None:
    for text in (f'[Game "dodgem"]\n[Rules {value}]', f'{{"game": {value}}}'):
        with pytest.raises(smallchange.BadRecord, match="expected JSON"):
            record.read_any(text)


def test_the_first_bad_step_is_named_with_what_was_legal_there() -> None:
    text = record.write(match_of("dodgem", 1, 4))
    bad = re.sub(r"\n3\. red: \S+", "\n3. red: z9-z8", text)
    with pytest.raises(
        smallchange.BadRecord, match=r"line \d+, step 3: 'z9-z8' is no move of dodgem; possible now: "
    ):
        record.read(bad)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("[Rules 1]", "[Rules 99]", "version 99"),
        ("[Rules 1]", "[Rules 1]\n[Option colour 3]", "unknown option 'colour'"),
        ("[Rules 1]", "[Rules 1]\n[Option size 99]", "'size' must be a whole number from 3 to 7, not 99"),
        ("[Rules 1]", '[Rules 1]\n[Seat blue "x"]', "unknown player 'blue'"),
        ("[Rules 1]", '[Rules 1]\n[Seat red "a\\u202eb"]', "printable texts"),
        ("[Rules 1]", "[Rules 1]\n[Rules 1]", "the tag Rules stands twice"),
        ("\n2. ", '\n[Seat red "x"]\n2. ', "the tag Seat red stands twice, or after the first step"),
        ("[Rules 1]", '[Rules 1]\n[Weather "fine"]', "expected a tag like"),
        ('"dodgem"', '"chess"', "unknown game 'chess'"),
        ("\n2. ", "\n3. ", "expected turn 2., not 3."),
        ("= unfinished", '= {"winner": "red"}', "its steps give null"),
    ],
)
def test_what_is_wrong_is_named(before: str, after: str, says: str) -> None:
    text = record.write(match_of("dodgem", 1, 4))
    assert before in text
    with pytest.raises(smallchange.BadRecord, match=says.replace("'", ".").replace("(", ".")):
        record.read(text.replace(before, after, 1))


def test_comments_may_be_added_and_are_not_verified() -> None:
    match = match_of("dodgem", 1)
    text = record.write(match)
    commented = text.replace("\n2. ", "\n# a quiet opening\n2. ", 1)
    assert record.read(commented) == match
    with pytest.raises(smallchange.BadRecord, match="altered"):
        record.verify(commented)


def test_a_seal_that_was_never_opened_proves_nothing() -> None:
    """Else anybody could choose a deal, and write that it was sealed."""
    honest = match_of("solo", 1)
    forged = smallchange.Match(honest.game, honest.deal, envelope=Envelope("ab" * 32))
    for step in honest:
        forged.play(step.token)
    assert forged.over
    with pytest.raises(smallchange.BadRecord, match="not the secret"):
        record.verify(record.write(forged))


def test_an_unfinished_match_cannot_be_verified() -> None:
    with pytest.raises(smallchange.BadRecord, match="not finished"):
        record.verify(record.write(match_of("dodgem", 1, 3)))


@pytest.mark.parametrize("id", GAMES)
def test_a_sealed_envelope_is_part_of_the_proof(id: str) -> None:
    player = smallchange.game(id).seats[0]
    fresh = Envelope.create()
    match = match_of(id, 2, envelope=Envelope(fresh.seal, ((player, "äpple; =x"),), fresh.secret))
    text = record.write(match)
    assert record.verify(text) == match
    assert record.verify(record.to_json_text(match)) == match
    with pytest.raises(smallchange.BadRecord, match="sealed secret"):
        record.read(text.replace("äpple", "apple"))


@pytest.mark.parametrize("id", LUCKY)
def test_a_secret_that_was_not_the_sealed_one_proves_nothing(id: str) -> None:
    other = Envelope(Envelope.create().seal, (), Envelope.create().secret)
    match = match_of(id, 2, envelope=other)
    assert match.deal == other.deal()
    for text in (record.write(match), record.to_json_text(match)):
        with pytest.raises(smallchange.BadRecord, match="sealed secret"):
            record.verify(text)


@pytest.mark.parametrize("id", LUCKY)
def test_luck_without_a_deal_cannot_be_verified(id: str) -> None:
    told = smallchange.Match(smallchange.game(id))
    for step in match_of(id, 2):
        told.play(step.token)
    assert told.over
    with pytest.raises(smallchange.BadRecord, match="no deal"):
        record.verify(record.write(told))


def test_matches_that_ended_otherwise_or_were_sealed_otherwise_differ() -> None:
    envelope = Envelope.create()
    sealed, plain, ended = (smallchange.Match(smallchange.game("dodgem"), envelope.deal()) for _ in range(3))
    sealed.envelope = envelope
    ended.end("agreed")
    assert plain not in (sealed, ended)


def test_json_of_another_shape_is_refused() -> None:
    said = record.to_json(match_of("dodgem", 1, 5))
    for name, value in [("steps", "a1"), ("options", [1]), ("deal", "xyz"), ("seats", {"red": 5})]:
        with pytest.raises(smallchange.BadRecord):
            record.from_json(said | {name: value})
    assert record.from_json(json.loads(json.dumps(said))) == match_of("dodgem", 1, 5)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("2=T", "(2=T", "the brackets around chance do not match at '(2=T'"),
        ("heads: end", "heads: end)", "the brackets around chance do not match at 'end)'"),
        (")\n1. heads:", "\n1. heads:", "expected turn 1., not 1."),
        ("(1=H", "1=H (", "step 1: the record has '1=H' as a step of a player; it is chance"),
        ("heads: end", "heads: (end)", "step 5: the record has 'end' as a step of 'chance'; it is heads"),
        ("heads: end", "tails: end", "step 5: the record has 'end' as a step of 'tails'; it is heads"),
        ("= unfinished\n", "= unfinished\n2. tails: end\n", "nothing but the digest may follow the result"),
    ],
)
def test_whose_step_it_was_and_where_the_record_ends_is_not_believed(
    before: str, after: str, says: str
) -> None:
    match = smallchange.Match(smallchange.game("coin-age"), bytes(16))
    match.settle()
    match.play("end")
    text = record.write(match)
    assert before in text
    with pytest.raises(smallchange.BadRecord, match=rf"^line \d.*{re.escape(says)}"):
        record.read(text.replace(before, after, 1))


def test_the_moves_that_a_record_says_were_possible_are_all_that_were() -> None:
    position = smallchange.game("dodgem").start()
    first = {"take": position.legal()[0], "legal": position.legal()}
    position.play(position.legal()[0])
    second = {"take": position.legal()[0], "legal": position.legal()[:1]}
    assert len(record.from_json({"game": "dodgem", "steps": [first]})) == 1
    with pytest.raises(smallchange.BadRecord, match=r"^step 2: the record says .* was possible"):
        record.from_json({"game": "dodgem", "steps": [first, second]})


@pytest.mark.parametrize("practice", ["", 5, "a\nb"])
def test_a_practice_that_is_no_match_is_refused(practice: object) -> None:
    said = record.to_json(match_of("dodgem", 1, 5))
    with pytest.raises(smallchange.BadRecord, match="the practice must be the id of a match"):
        record.from_json(said | {"practice": practice})


def test_a_game_without_luck_needs_no_deal_to_be_verified() -> None:
    match = smallchange.Match(smallchange.game("dodgem"))
    match.end("resigned", "red")
    assert record.verify(record.write(match)) == match


def test_a_bracket_that_does_not_close_is_named_by_its_line() -> None:
    text = record.write(match_of("coin-age", 1))
    line = text.split("\n").index(next(line for line in text.split("\n") if line.startswith("("))) + 1
    with pytest.raises(smallchange.BadRecord, match=rf"^line {line}: the bracket around chance does not cl"):
        record.read(text[: text.index("(") + 5])


@pytest.mark.parametrize(
    "text",
    [
        "[" + "x" * 9999,
        '[Game "dodgem"]\n=\n' + "x" * 9999,
        '["' + "x" * 9999 + '"]',
        2 * f"[Option {'x' * 9999} 1]\n",
        f'[Game "dodgem"]\n[Rules 1]\n\n1. {"x" * 9999}: a1-b1\n= unfinished\n',
    ],
)
def test_of_a_long_line_only_the_beginning_is_repeated(text: str) -> None:
    with pytest.raises(smallchange.BadRecord, match=r"line .*") as wrong:
        record.read(text)
    assert len(str(wrong.value)) < 200


@pytest.mark.parametrize(
    "said", [{"rules": True}, {"rules": 1.0}, {"options": []}, {"options": 0}, {"seats": 0}, {"seats": []}]
)
def test_a_record_in_json_is_not_believed_where_a_value_is_of_another_kind(said: dict[str, object]) -> None:
    match = smallchange.Match(smallchange.game("dodgem"))
    plain = record.to_json(match)
    assert record.from_json(plain) == match
    with pytest.raises(smallchange.BadRecord):
        record.from_json({**plain, **said})


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"actor": ""}, "as a step of ''; it is chance"),
        ({"actor": False}, "as a step of False; it is chance"),
        ({"legal": [["1=H", True], ["1=T", 1]]}, "the record says .*True.* was possible"),
        ({"legal": [["1=H", 1.0], ["1=T", 1]]}, "the record says .*1.0.* was possible"),
    ],
)
def test_what_a_step_says_is_not_believed_where_it_is_of_another_kind(
    step: dict[str, object], says: str
) -> None:
    record.from_json({"game": "coin-age", "steps": [{"take": "1=H", "actor": "chance"}]})
    with pytest.raises(smallchange.BadRecord, match=says):
        record.from_json({"game": "coin-age", "steps": [{"take": "1=H", **step}]})


def test_a_result_is_not_believed_where_a_value_is_of_another_kind() -> None:
    match = smallchange.Match(smallchange.game("dodgem", size=3))
    while not match.over:
        match.play(match.position.legal()[0])
    said = record.to_json(match)
    assert record.from_json(said) == match
    number = next(name for name, value in said["result"].items() if type(value) is int)
    said["result"] = {**said["result"], number: float(said["result"][number])}
    with pytest.raises(smallchange.BadRecord, match="the record's result is"):
        record.from_json(said)


@pytest.mark.parametrize("id", GAMES)
def test_a_record_in_json_follows_the_published_schema(id: str) -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs/record.schema.json").read_text(encoding="utf-8"))
    words = tuple((player, "apple") for player in smallchange.game(id).seats)
    envelope = replace(Envelope.create(), words=words)
    checker = Draft202012Validator(schema)
    sealed = match_of(id, 1, envelope=envelope)
    simulated = smallchange.row_match(id, "random", seed=1, number=2)
    for match in (match_of(id, 2, 3), sealed, simulated, smallchange.Match(id, practice="abc")):
        checker.validate(record.to_json(match))
    wrong = record.to_json(sealed)
    for name in schema["required"]:
        assert not checker.is_valid({key: value for key, value in wrong.items() if key != name}), name
        assert not checker.is_valid(wrong | {name: 0.5}), name
