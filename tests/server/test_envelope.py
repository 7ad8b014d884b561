"""The envelope before it is opened: who is shown the seal, and whose words are mixed in."""

from __future__ import annotations

from smallchange.core.game import Game

from .serving import Person, Served
from .tables import LUCKY_PAIR, PAIR


def test_who_is_invited_sees_the_seal_before_adding_words(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(LUCKY_PAIR)
    link, seal = ann.invite(id), served.live_table(id).history.head.seal
    page = bo.web.get(link).text
    assert seal in page
    assert "The secret of its luck is in the envelope already" in page
    bo.post(link, words="three blind mice")
    seats = served.live_table(id).history.seats
    assert [seat.words for seat in seats if seat.words] == ["three blind mice"]
    for person in (ann, bo):
        assert f'href="/m/{id}/envelope"' in person.page(id)
    assert f'href="/m/{id}/envelope"' not in ann.page(ann.open(PAIR, **dict.fromkeys(seats_of(PAIR), "me")))


def test_a_rematch_has_words_of_who_agrees_to_it(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(LUCKY_PAIR, words="of old")
    bo.post(ann.invite(id), words="of old too")
    ann.command(id, "resign", served.live_table(id).history.ply)
    ann.post(f"/m/{id}/rematch")
    again = bo.post(f"/m/{id}/rematch", words="of new").headers["location"].removeprefix("/m/")
    said = {seat.words for seat in served.live_table(again).history.seats}
    assert said == {"of new", ""}


def seats_of(game: str) -> list[str]:
    return [f"seat.{player}" for player in Game(game).seats]
