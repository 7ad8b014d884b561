"""The sentences of all refusals, by their codes."""

from __future__ import annotations

from smallchange.i18n.text import Text, join_texts, plain
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.phrases import NO_HELP_WHEN_RATED

CHOOSE_A_SEAT = Text("choose “me” for one of the seats")
NONE_OF = Text("{what} is not one of {names}")
MAX_QUOTED = 80  # characters of a value that was not accepted
REFUSAL_TEXTS = {
    ErrorCode.BAD_MESSAGE: Text("This message cannot be read: {why}"),
    ErrorCode.NO_TABLE: Text("Table not found."),
    ErrorCode.RULES_CHANGED: Text(
        "This table follows version {was} of its rules, which this server does not play."
    ),
    ErrorCode.SPECTATOR: Text("You are watching. Only players can do this."),
    ErrorCode.NOT_STARTED: Text("The game begins when everyone has sat down."),
    ErrorCode.NOT_YOUR_TURN: Text("It is up to {who} to move."),
    ErrorCode.UNKNOWN_TOKEN: Text("“{token}” is not a move in this game."),
    ErrorCode.ILLEGAL: Text("“{token}” is not possible now. Possible: {legal}."),
    ErrorCode.MARKS: Text("These pieces cannot be used together. Mark what to use, then press the button."),
    ErrorCode.OVER: Text("The game is over."),
    ErrorCode.WITHDRAWN: Text("This table was withdrawn, so there is no game."),
    ErrorCode.CONFLICT: Text("The table has moved on, so nothing was done. Here is how it stands now."),
    ErrorCode.COMMAND_ID_USED: Text("This move id was used for something else."),
    ErrorCode.NOTHING_TO_UNDO: Text(
        "There is no decision of yours to take back, or chance has decided something since."
    ),
    ErrorCode.TOO_MANY_EVENTS: Text("This game is too long for anything more to be taken back."),
    ErrorCode.TABLE_FULL: Text(
        "This table has reached its greatest length of {most} steps. Resign to end it; it does not count."
    ),
    ErrorCode.MUST_ASK_TO_UNDO: Text("Against a person, ask to take a move back."),
    ErrorCode.CANNOT_OFFER: Text("This cannot be offered now."),
    ErrorCode.NO_OFFER: Text("There is no offer for you to answer."),
    ErrorCode.RATED_AGAINST_BOT: NO_HELP_WHEN_RATED,
    ErrorCode.NO_HINT: Text("Hints are only available on your turn, and not against another person."),
    ErrorCode.NO_REVIEW: Text(
        "A review is available once the game is over, if it took at most {most} steps."
    ),
    ErrorCode.SEALED: Text("Others are playing this deal too, so it stays sealed until it closes."),
    ErrorCode.BOTS_BUSY: Text("The bots are busy at the moment. Ask again in a few seconds."),
    ErrorCode.BOT_FAILED: Text("The bot could not work this out; nothing else has changed. Ask again."),
    ErrorCode.REMARK_LIMIT: Text("You have sent all {most} remarks that this table allows."),
    ErrorCode.SEAT_TAKEN: Text("This seat is taken. You can watch."),
    ErrorCode.BAD_SEATS: Text("The seats cannot be set like that: {why}"),
    ErrorCode.BAD_NAME: Text("“{name}” is no name for you: {why}. Choose another."),
    ErrorCode.BAD_OPTIONS: Text("These options do not work: {why}"),
    ErrorCode.NO_REMATCH: Text("A rematch is possible once the game is over."),
    ErrorCode.CANNOT_FORK: Text("Practice can branch off when a game is over, or from a game of your own."),
    ErrorCode.BY_MEMORY: Text(
        "This game is played by memory: what has happened is out of sight until it is over."
    ),
    ErrorCode.BAD_TIME: Text("This time does not work: {why}"),
    ErrorCode.CANNOT_RATE: Text("This game cannot be rated: {why}"),
    ErrorCode.OUT_OF_TIME: Text("Your time is up."),
    ErrorCode.CANNOT_ABORT: Text("The game can only be ended like this before each side has moved."),
    ErrorCode.CANNOT_CLAIM: Text(
        "The game can be claimed once the other player of a live game has been away for a minute."
    ),
    ErrorCode.NO_DAYS_OFF: Text(
        "You have {left} days off left this year, and can take them while you are not off."
    ),
    ErrorCode.BAD_STEP: Text("Practice can start after any step from 0 to {last}, not after step {at}."),
    ErrorCode.SHORT_NAME: Text("A name has {least} to {most} characters."),
    ErrorCode.NAME_TAKEN: Text("The name {name} is taken, or looks like another. Choose another one."),
    ErrorCode.BAD_PASSWORD: Text("A password has {least} to {most} characters."),
    ErrorCode.EASY_PASSWORD: Text(
        "This password is easily guessed. Choose a longer one: three or four words will do."
    ),
    ErrorCode.WRONG_PASSWORD: Text("That is not your current password. A recovery code works too."),
    ErrorCode.CREDENTIAL_NEEDED: Text("First confirm that it is you."),
    ErrorCode.SIGN_IN_FAILED: Text("The name and the password do not go together."),
    ErrorCode.BAD_PASSKEY: Text("The passkey was not accepted. Try again, or use your password."),
    ErrorCode.LAST_CREDENTIAL: Text("Set a password first; otherwise you could not sign in any more."),
    ErrorCode.ATTEMPT_LIMIT: Text("Too many attempts; wait a few minutes."),
    ErrorCode.NO_ACCOUNT: Text("Sign in first."),
    ErrorCode.UNKNOWN_ACCOUNT: Text("There is no account with the name {name}."),
    ErrorCode.BANNED: Text("The keepers of this site have closed this account."),
    ErrorCode.BAD_CONTACT: Text("This address is not accepted: {why}."),
    ErrorCode.BAD_NETWORK: Text(
        "“{network}” is no address or network, such as 192.0.2.7 or 192.0.2.0/24, of at most a /8 (IPv6: a /19)."
    ),
    ErrorCode.BAD_REPORT: Text("This cannot be done with that player."),
    ErrorCode.BAD_WISH: Text("Nobody can be found for “{given}”. Choose among: {accepted}."),
    ErrorCode.BOT_ACCOUNT: Text(
        "A bot cannot do this: it can only answer challenges, and challenge bots and its owner."
    ),
    ErrorCode.BOT_LIMIT: Text(
        "One of these bots has played {most} games against bots in 24 hours. Try tomorrow."
    ),
    ErrorCode.OWNED_LIMIT: Text("There are {most} already, the most allowed: remove one first."),
    ErrorCode.CANNOT_MEET: Text("You and this player do not play against each other."),
    ErrorCode.NO_SEEK: Text("You have stopped looking for this game."),
    ErrorCode.NO_CHALLENGE: Text("There is no such challenge for you any more."),
    ErrorCode.CHALLENGE_LIMIT: Text("You have {most} challenges waiting for an answer. Withdraw one first."),
    ErrorCode.NO_TOURNAMENT: Text("There is no tournament at this address."),
    ErrorCode.BAD_TOURNAMENT: Text("This tournament cannot be opened: {why}."),
    ErrorCode.TOURNAMENT_LIMIT: Text(
        "You have opened {most} tournaments that are still running. Wait until one is over."
    ),
    ErrorCode.CANNOT_ENTER: Text("Nobody can enter this tournament any more."),
    ErrorCode.NO_DEAL: Text("There is no deal for you here: enter first, and play while a round is open."),
    ErrorCode.BAD_BOT_COUNT: Text("{given} bots cannot be entered: choose a number from 1 to {most}."),
    ErrorCode.NOT_OPENER: Text("Only the player who opened this tournament can do that, before it begins."),
    ErrorCode.NO_COOKIE: Text("This form came without this site’s cookie, so nothing was done."),
    ErrorCode.BAD_TOKEN: Text(
        "Send the token that you were given, as the header “Authorization: Bearer TOKEN”."
    ),
    ErrorCode.OTHER_ORIGIN: Text("This request came from another site."),
    ErrorCode.RATE_LIMIT: Text("Too many messages; wait a few seconds."),
    ErrorCode.BUSY: Text("The server is very busy. Ask again in a few seconds."),
    ErrorCode.PAGE_LIMIT: Text("Too many requests from this address; wait a few seconds."),
    ErrorCode.TABLE_LIMIT: Text("Too many tables are being opened from this address; wait a few minutes."),
    ErrorCode.CONNECTION_LIMIT: Text("Too many connections from this address."),
    ErrorCode.SUBSCRIPTION_LIMIT: Text("One connection can follow at most 8 tables. Leave one first."),
    ErrorCode.TOO_LARGE: Text("This is too large."),
    ErrorCode.NO_PAGE: Text("Page not found."),
    ErrorCode.NO_CALL: Text("There is no such API call; /api/openapi.json lists them all."),
    ErrorCode.BAD_RECORD: Text("This record is not valid: {why}"),
    ErrorCode.NOT_STORED: Text("This could not be stored, so nothing was done. Try again in a moment."),
    ErrorCode.OUTCOME_UNKNOWN: Text(
        "The server cannot answer right now, and what you sent may or may not have been done. "
        "Try again in a moment; a step that is sent twice is taken only once."
    ),
    ErrorCode.DRAINING: Text("No new games begin before the maintenance. Games that have begun go on."),
    ErrorCode.SHUTTING_DOWN: Text("The server is stopping. Nothing is lost; the table comes back by itself."),
}


def refusal_text(refused: Refused) -> Text:
    """Return the sentence of a refusal, with its reason."""
    parts: dict[str, Text | str | int] = {}
    for name, value in refused.data.items():
        assert isinstance(value, Text | str | int | list | tuple), value
        parts[name] = join_texts(map(plain, value)) if isinstance(value, list | tuple) else value
    if refused.code == ErrorCode.BAD_SEATS and "why" not in parts:
        parts["why"] = _seat_problem(refused)
    return REFUSAL_TEXTS[refused.code].fill(**parts)


def _seat_problem(refused: Refused) -> Text:
    accepted = refused.data.get("accepted")
    if not isinstance(accepted, list | tuple):
        return CHOOSE_A_SEAT
    given = f"{refused.data['given']!r:.{MAX_QUOTED}}"
    return NONE_OF.fill(what=given, names=", ".join(accepted))
