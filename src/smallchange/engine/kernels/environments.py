"""Many games stepped at once by a learner's actions: observations, masks and rewards, with new deals inside.

Game i of n plays the games number i, i + n, i + 2 n, .. of a seed one after the other. Their throws, and the
choices of the seats that RANDOM and GREEDY play, are those of `play_games`. A game that ends before the learner
has a choice is written among those that ended, and the next one is dealt.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER, lowest
from smallchange.engine.compile.runtime_python import entry

from .playouts import RANDOM, greedy_action, sample_chance_action
from .random_streams import below, open_streams

if TYPE_CHECKING:
    from .calls import legal, play, score, utility

LEARNER = 3  # the policy of a seat whose actions come from outside
NO_ROOM = -(1 << 40)  # more games ended than there is room for
EVEN = 500  # the utility of a draw


class Games(NamedTuple):
    """The games as they stand, and as they were observed last.

    words2, words4, words8 are views of `states` as rows of numbers of so many bytes, seen2 .. of `seen`.
    """

    first: Any  # [1] the first state of every game
    states: Any  # [n]
    streams: Any  # [n, seats + sources] of uint64
    numbers: Any  # [n] of int64: the number of the game under the seed
    steps: Any  # [n] of int64: steps taken
    choices: Any  # [n] of int64: .. those of the learner
    words2: Any
    words4: Any
    words8: Any
    seen2: Any
    seen4: Any
    seen8: Any
    seed: Any  # [1] a 64-bit word


class Views(NamedTuple):
    """The arrays that a learner sees."""

    observation: Any  # [n, size] of uint8
    mask: Any  # [n, actions] of bool
    legal: Any  # [n, MOST + 1] of int64: the actions in the mask
    counts: Any  # [n] of int64: .. and how many there are
    reward: Any  # [n, seats] of float32
    done: Any  # [n] of bool
    mover: Any  # [n] of int8: the seat to move
    final: Any  # [n, size] of uint8: the observation of the end, where done


class EndedGames(NamedTuple):
    """The games that ended in this step, in the order of their endings; `room[0]` of them."""

    room: Any  # [1] of int64
    place: Any  # [capacity] of int64: i
    number: Any  # [capacity] of int64
    steps: Any  # [capacity] of int64
    choices: Any  # [capacity] of int64
    scores: Any  # [capacity, seats] of int64
    values: Any  # [capacity, seats] of int64: 1 won, 0 drawn, -1 lost


def seat_value(b: Any, s: Any, seat: int) -> int:
    """Return 1 where an ended game is won by a seat, 0 where it is drawn, -1 where it is lost."""
    value = utility(b, s, seat)
    if value > EVEN:
        return 1
    if value == EVEN:
        return 0
    return -1


def advance(b: Any, s: Any, policy: Any, scratch: Any) -> int:
    """Play until the learner is to move or the game is over; return the number of steps."""
    taken = 0
    while s.turn != OVER:
        if s.turn == CHANCE:
            a = sample_chance_action(b, s, scratch)
        elif policy[s.turn] == LEARNER:
            return taken
        else:
            n = legal(b, s, scratch.actions)
            if policy[s.turn] == RANDOM:
                a = scratch.actions[below(scratch.streams, s.turn, n)]
            else:
                a = greedy_action(b, s, n, scratch)
        play(b, s, a)
        taken += 1
    return taken


def write_end(b: Any, s: Any, games: Any, ended: Any, seats: int, i: int) -> bool:
    """Write a game that is over among those that ended; return whether there was room."""
    k = ended.room[0]
    if k == len(ended.place):
        return False
    ended.room[0] = k + 1
    ended.place[k] = i
    ended.number[k] = games.numbers[i]
    ended.steps[k] = games.steps[i]
    ended.choices[k] = games.choices[i]
    for seat in range(seats):
        ended.scores[k, seat] = score(b, s, seat)
        ended.values[k, seat] = seat_value(b, s, seat)
    return True


def deal(b: Any, games: Any, ended: Any, policy: Any, scratch: Any, i: int) -> bool:
    """Deal the next game in which the learner has a choice; return whether there was room for those before."""
    while True:
        games.numbers[i] += len(games.states)
        games.states[i] = games.first[0]
        s = games.states[i]
        open_streams(scratch.streams, scratch.seats, games.seed[0], games.numbers[i])
        games.choices[i] = 0
        games.steps[i] = advance(b, s, policy, scratch)
        if s.turn != OVER:
            return True
        if not write_end(b, s, games, ended, scratch.seats, i):
            return False


def read_streams(games: Any, scratch: Any, i: int) -> None:
    """Take up the random streams of game i."""
    for k in range(len(scratch.streams)):
        scratch.streams[k] = games.streams[i, k]


def write_streams(games: Any, scratch: Any, i: int) -> None:
    """Keep the random streams of game i."""
    for k in range(len(scratch.streams)):
        games.streams[i, k] = scratch.streams[k]


def observe_game(games: Any, observation: Any, table: Any, i: int) -> None:
    """Bring the observation of game i up to date, entry by entry where a number has changed.

    `table` has a row for each number of a state: its bytes, its place in a row of words of so many bytes,
    whether it is one-hot, its first entry, and its least value (`core/observation.py`).
    """
    for j in range(len(table)):
        size = table[j, 0]
        word = table[j, 1]
        if size == 2:
            new = games.words2[i, word] + 0
            old = games.seen2[i, word] + 0
            games.seen2[i, word] = new
        elif size == 4:
            new = games.words4[i, word] + 0
            old = games.seen4[i, word] + 0
            games.seen4[i, word] = new
        else:
            new = games.words8[i, word]
            old = games.seen8[i, word]
            games.seen8[i, word] = new
        if new != old:
            start = table[j, 3]
            low = table[j, 4]
            if table[j, 2] == 1:
                observation[i, start + old - low] = 0
                observation[i, start + new - low] = 1
            else:
                changed = (old - low) ^ (new - low)
                while changed != 0:
                    k = lowest(changed)
                    changed ^= 1 << k
                    observation[i, start + k] = 1 - observation[i, start + k]


def show_game(b: Any, games: Any, views: Any, table: Any, i: int) -> None:
    """Write the observation of game i: the observation, the mask and whose turn it is."""
    s = games.states[i]
    observe_game(games, views.observation, table, i)
    for j in range(views.counts[i]):
        views.mask[i, views.legal[i, j]] = False
    n = legal(b, s, views.legal[i])
    for j in range(n):
        views.mask[i, views.legal[i, j]] = True
    views.counts[i] = n
    views.mover[i] = s.turn


@entry
def reset_games(
    boards: Any, games: Any, views: Any, ended: Any, policy: Any, table: Any, scratch: Any
) -> int:
    """Deal every game anew. Return the number of games that ended before a choice, or NO_ROOM."""
    b = boards[0]
    ended.room[0] = 0
    for i in range(len(games.states)):
        views.done[i] = False
        for seat in range(scratch.seats):
            views.reward[i, seat] = 0
        if not deal(b, games, ended, policy, scratch, i):
            return NO_ROOM
        write_streams(games, scratch, i)
        show_game(b, games, views, table, i)
    return ended.room[0]


def first_illegal(views: Any, actions: Any) -> int:
    """Return the first game whose action is not in its mask, or -1."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= views.mask.shape[1]:
            return i
        if not views.mask[i, actions[i]]:
            return i
    return -1


@entry
def step_games(
    boards: Any, games: Any, views: Any, ended: Any, policy: Any, table: Any, scratch: Any, actions: Any
) -> int:
    """Take the learner's action in every game, and play on until it is to move again.

    actions[n] of int64. Return the number of games that ended, NO_ROOM, or -1 - i where the action of game i,
    the first of such games, is not legal: then nothing has changed.
    """
    b = boards[0]
    i = first_illegal(views, actions)
    if i >= 0:
        return -1 - i
    ended.room[0] = 0
    for i in range(len(actions)):
        s = games.states[i]
        read_streams(games, scratch, i)
        play(b, s, actions[i])
        games.choices[i] += 1
        games.steps[i] += 1 + advance(b, s, policy, scratch)
        views.done[i] = s.turn == OVER
        for seat in range(scratch.seats):
            views.reward[i, seat] = 0
        if s.turn == OVER:
            for seat in range(scratch.seats):
                value = seat_value(b, s, seat)
                views.reward[i, seat] = max(value, 0) if scratch.seats == 1 else value
            observe_game(games, views.observation, table, i)
            for j in range(views.final.shape[1]):
                views.final[i, j] = views.observation[i, j]
            if not write_end(b, s, games, ended, scratch.seats, i):
                return NO_ROOM
            if not deal(b, games, ended, policy, scratch, i):
                return NO_ROOM
        write_streams(games, scratch, i)
        show_game(b, games, views, table, i)
    return ended.room[0]


@entry
def truncate_games(
    boards: Any, games: Any, views: Any, ended: Any, policy: Any, table: Any, scratch: Any, cut: Any
) -> int:
    """Replace the games i with cut[i] by the next ones, after `step_games`.

    cut[n] of bool. Return the number of games that ended in both, or NO_ROOM.
    """
    b = boards[0]
    for i in range(len(cut)):
        if cut[i]:
            for j in range(views.final.shape[1]):
                views.final[i, j] = views.observation[i, j]
            if not deal(b, games, ended, policy, scratch, i):
                return NO_ROOM
            write_streams(games, scratch, i)
            show_game(b, games, views, table, i)
    return ended.room[0]


@entry
def sample_actions(games: Any, views: Any, word: Any, actions: Any) -> None:
    """Write a random legal action for every game, from the stream of the seat to move; word[1] is room."""
    for i in range(len(actions)):
        seat = views.mover[i] + 0
        word[0] = games.streams[i, seat]
        actions[i] = views.legal[i, below(word, 0, views.counts[i])]
        games.streams[i, seat] = word[0]
