"""The phrases of the pages that stand in code or in several templates; the others stand in their template."""

from smallchange.i18n.labels import ADVICE as ADVICE
from smallchange.i18n.labels import HINT as HINT
from smallchange.i18n.labels import RULES as RULES
from smallchange.i18n.labels import UNDO as UNDO
from smallchange.i18n.text import Plural, Text

NAME = Text("Small Change")
SITE = Text("Site")
FULL_STOP = Text(".", "the end of a sentence")

# ratings
RATED = Text("Rated")
RATED_GAME = Text("Rated: the result counts for the ratings of both.")
RATED_AGAINST_HOUSE = Text("Rated: the result counts for the rating of the player; that of the bot is fixed.")
CASUAL_GAME = Text("Unrated: the result does not change ratings.")
RATINGS = Text("Ratings")
RATING_FOLLOWS = Text("The new ratings follow in a moment.")
UNRATED_NO_RESULT = Text("This game does not count for the ratings, because it ended without a result.")
UNRATED_TOO_SHORT = Text(
    "This game does not count for the ratings, because it ended before each side had made {n} moves."
)
SECOND_COUNTS = Text("{why} Leaving another game this early within a day will count as a loss.")
ABOUT_RATINGS = Text("A question mark stands after a rating that rests on few games so far.")
BLITZ = Text("blitz", "a speed of play: a few minutes for the whole game")
RAPID = Text("rapid", "a speed of play: a quarter of an hour or more")
BY_CORRESPONDENCE = Text("by correspondence", "a speed of play: days for a move")
RATING_GRAPH = Plural(
    "From {first} to {last} in {n} game, lowest {low}, highest {high}",
    "From {first} to {last} in {n} games, lowest {low}, highest {high}",
)
EXPECTED_SCORE = Text("Expected score against {points}: {share} (a draw counts half)")
YOUR_EXPECTED_SCORE = Text("Your expected score against this rating: {share}")
HOUSE_BOTS = Text("House bots")
ABOUT_HOUSE_BOTS = Text(
    "House bots are programs of this site with fixed ratings. They accept every challenge at once, so the first "
    "rated "
    "games already say how strong a player is."
)
HOUSE_BOT_OF = Text("A program: {level} of {game}.")
ABOUT_FIXED_RATING = Text(
    "The rating never changes. {zero} of every game stands at {start}, where newcomers begin, and the other levels "
    "as "
    "far from it as measured games between neighbouring levels say."
)
MEASURED_STEP = Text("{better} scored {share} of the points in {n} games against {other}.")
NO_HELP_WHEN_RATED = Text(
    "In a rated or tournament game against a bot no move is taken back, and there are no hints."
)
RATED_MATCHES = Plural("{n} rated game", "{n} rated games")
# watching
WATCH_GAMES = Text("Games to watch")
FEATURED = Text("Now: {game}")
WATCH_IT = Text("Watch", "on a button")
GAME_OF_TWO = Text("{game}: {first} – {second}")
SPECTATORS = Plural("{n} person is watching.", "{n} people are watching.")
# notifications
NOTIFICATIONS = Text("Notifications")
NOTIFICATIONS_UNREAD = Text("Notifications: {n} unread")
NEXT_GAME = Text("Next game waiting for you")

# notifications outside of our pages
PUSH_OFF = Text("Turn off in this browser")
CONFIRM_MAIL = Text("Confirm your address")
ABOUT_CONFIRM = Text("This address will get an e-mail when a game waits for you, one a day at most.")
CONFIRM = Text("Confirm")
END_MAILS = Text("Stop the e-mails")
ABOUT_END_MAILS = Text("No more e-mails will come, and your address is deleted.")

# reports, and the keepers who read them
REPORT = Text("Report a player")
KEEPERS = Text("For moderators")
BAN = Text("Ban")
UNBAN = Text("Lift the ban")
COMMAND_LINE = Text("the command line")

LEADERS = Text("Leaderboards")
LEADERS_OF = Text("{game}: leaderboard")

# meeting
FIND_OPPONENT = Text("Find an opponent")
GAMES = Text("Games")
LOOKING = Text("Looking for an opponent")
YOUR_BOTS = Text("Your bots")
TOKEN = Text("Token")
CHALLENGE = Text("Challenge", "heading: ask this person for a game")
CHALLENGE_TO = Text("Challenge to {who}")
CHALLENGE_BY = Text("{who} challenges you")
BLOCK = Text("Block")
SAY_HELLO = Text("Hello!")
SAY_LUCK = Text("Good luck!")
SAY_WELL_PLAYED = Text("Well played!")
SAY_THANKS = Text("Thank you for the game!")
SAY_MOMENT = Text("One moment, please.")
SAY_LEAVING = Text("I have to go.")
SAID = Text("{who}: {what}")
FOLLOW = Text("Follow")

# accounts
SIGN_IN = Text("Sign in")
SIGN_UP = Text("Create an account")
SIGN_OUT = Text("Sign out")
ACCOUNT = Text("Your account")
ACCOUNT_NAME = Text("Name")
PASSWORD = Text("Password")
PASSWORD_OR_CODE = Text("Password or recovery code")
RECOVERY_CODES = Text("Recovery codes")
PASSKEY_FAILED = Text("Something went wrong. Try again, or use your password.")
AUTHENTICATE = Text("Confirm that it is you")
REMOVE = Text("Remove")
SINCE_DAY = Text("since {day}")
RENAME = Text("Change name")
ERASE = Text("Erase this account")

# guided first games
LEARN = Text("Learn by playing")
LEARN_GAME = Text("{game}: a guided first game")
NEXT_LESSON = Text("Next", "to the next lesson")

# the lobby
HEADLINE = Plural("{count} game of coins, tiles and dice", "{count} games of coins, tiles and dice")
COUNTS = [
    Text("No", "a number of games"),
    Text("One", "a number of games"),
    Text("Two", "a number of games"),
    Text("Three", "a number of games"),
    Text("Four", "a number of games"),
    Text("Five", "a number of games"),
    Text("Six", "a number of games"),
    Text("Seven", "a number of games"),
    Text("Eight", "a number of games"),
    Text("Nine", "a number of games"),
]
INTRO = Text("Free, without an account. Play alone, against a bot, or send a friend a link.")
PLAYERS = Text("Players")
MINUTES = Text("Minutes")
GENTLE = Text("Gentle")
MEDIUM = Text("Medium")
HARD = Text("Hard")
PLAY = Text("Play")
PLAY_THIS = Text("Play {game}")
OPTIONS = Text("Options")
OPTIONS_OF = Text("Options of {game}")
RULES_OF = Text("Rules of {game}")
OPEN_TABLES = Text("Open tables")
YOUR_GAMES = Text("Your games")
AGAINST = Text("you are {yours}, against {who}")
AT_ONE_SCREEN = Text("both sides on one screen")
IN_PRACTICE = Text("practice")
MORE_GAMES = Text("Earlier games")
NEWER_GAMES = Text("Newer games")
RUNNING = Text("Running")
FINISHED = Text("Finished")
RESULTS = Text("Results")
AGAINST_WHOM = Text("against {who}")
PEOPLE = Text("people")
CALLED = Text("{name}")
WON_OF = Text("{won} of {n} won")
WON_OF_TWO = Text("{won} won, {drawn} drawn, {lost} lost")
STATISTICS = Text("Statistics")
WON_HEADING = Text("Won", "the heading of a column")
DRAWN_HEADING = Text("Drawn", "the heading of a column")
LOST_HEADING = Text("Lost", "the heading of a column")
ABOUT_STATISTICS = Text(
    "Luck and mistakes are counted in wins, over the games that were reviewed: a luck of +1 is one win more than "
    "the odds at the start promised."
)
PLAY_RATING = Text("Play rating")
AGAINST_DEALS = Text("{rating} against the deals, where the best bot has {best}")
LIKE_LEVEL = Text("like level {level}", "a strength of play")
GIVEN_PER_CHOICE = Text("gives away {share} per choice (games: {games}; choices: {choices})")
PLAY_RATING_LATER = Text("after {n} reviewed games; so far there are {have}")
GAMES_OF = Text("Games of {who}")
GIVEN_IN_GAME = Text("{share} given away per choice")
OPPONENTS = Text("Opponents")
BOTS_AS_OPPONENTS = Text("bots", "opponents")
UNCOUNTED = Text("Practice and games in which you play both sides do not count.")
GO_ON = Text("Continue")
LOOK_AT = Text("View")
ABOUT = Text("About")
PRIVACY = Text("Privacy")
DOCUMENTATION = Text("Documentation")
NEW_GAME = Text("New game")
CLOSE_UP = Text("{game}, seen from above")

# a new table
TOSS = Text("Toss for sides")
ME = Text("me")
BOT = Text("{title}: {strength}")
OPEN_SEAT = Text("a friend, by a link")
YOUR_NAME = Text("Your name, if you like")
YOUR_WORDS = Text("Words of your own to mix into the luck, if you like")
ABOUT_WORDS = Text(
    "They are mixed into the luck of this game. If you leave them out, your browser adds random ones."
)
FAULT = Text("{option}: {why}.")
FAULT_HERE = Text("{why}.")
FROM_TO = Text("{low} to {high}")
BY_HAND = Text("drawn by hand")
SHOW_PICTURE = Text("Show the picture")
PICTURE = Text("How it begins")
EXAMPLE = Text("One way it may begin")
HOW_HARD = Text("How hard is it?")
BEING_SOLVED = Text("This board is being solved, which may take some minutes. The page goes on by itself.")
BEING_PLAYED = Text("Simple bots are playing it now, to see how hard it is.")
AS_IN_RULEBOOK = Text("as in the rulebook")
HOW_MEASURED = Text("How was this measured?")
DESIGNED_BOARDS = Text("Devious boards, found by search")
LUCK = Text("Luck")
THE_BASE = Text("Chosen: the base game, as in the rulebook.")
MORE_OPTIONS = Text("Variants")
ALL_OPTIONS = Text("All options")

# deals by difficulty
DEAL = Text("Deal")
ANY_DEAL = Text("any")
EASY_DEAL = Text("easy", "a deal")
MEDIUM_DEAL = Text("medium", "a deal")
HARD_DEAL = Text("hard", "a deal")
DEAL_CHOICE = Text("{difficulty}: a strong player wins {share}")
DEAL_SEARCH = Text("Looking for a deal")
# drawing a board
DRAW_BOARD = Text("{game}: draw a board")
DRAW_BY_TYPING = Text(
    "Drawing by touch needs scripts, which are off in this browser. Type the drawing instead, a line for each row."
)
CELL = Text("row {row}, column {column}: {sign}")
COLUMNS = Text("Columns")
ROWS = Text("Rows")
AS_TEXT = Text("The drawing as text")
SIGN = Text("{sign}: {meaning}")

# the table
BOARD = Text("Board")
TRAYS = Text("Beside the board")
MOVE = Text("move {n}")
YOU_ARE = Text("You are {yours}")
YOU_ARE_BOTH = Text("You play both sides")
YOUR_TURN = Text("Your turn")
YOUR_MOVE = Text("It is your turn.")
YOUR_TURN_FOR = Text("Your turn: {time} left")
HOURS_AND_MINUTES = Text("{hours} h {minutes} min")
AN_OFFER = Text("An offer")
OVER = Text("Game over")
THEIR_TURN = Text("{who} to move")
WATCHING = Text("You are watching.")
LOOKING_BACK = Text("Looking back at move {at} of {n}.")
NOW = Text("Back to now")
NOT_HERE = Text("You cannot do anything there now.")
RINGS = Text("Rings show what you can touch.")
NOT_THERE = Text("Rings show where it can go.")
CHOOSE_WHERE = Text("{what}, {place}: choose where")
CHOOSE_FROM = Text("{place}: choose where")
CHOOSE = Text("{said}. Choose", "this thing on the board")
CHOSEN_SPOT = Text("{place}: chosen. Choose where, or touch again to let go")
CHOSEN = Text("{what}, {place}: chosen. Choose where, or touch again to let go")
TO_MARK = Text("Mark what to use")
DO_MARKED = Text("Use what is marked")
NOT_THESE = Text("Not possible with these")
EVERY_MOVE = Text("All moves")
WAYS_TO_PLAY = Text("Ways to play")
LET_GO = Text("Choose something else")
DICE = Text("Dice")
EARLIER = Text("Earlier steps")
SO_FAR = Text("So far")
FIRST = Text("First")
TAKEBACK = Text("Back")
FORWARD = Text("Forward")
LAST = Text("Now")
HINT_MOVE = Text("Show the move")
HINT_WHY = Text("Why?")
OFFER = {"draw": Text("Offer a draw"), "undo": Text("Ask to take back")}
WITHDRAW_OFFER = Text("Withdraw the offer")
AGREE = Text("Agree on a draw")
ACCEPT = Text("Accept")
DECLINE = Text("Decline")
RESIGN = Text("Resign")
AGREED = Text("Yes, a draw")
RESIGNED = Text("Yes, resign")
WITHDRAW = Text("Withdraw this table")
PRACTICE_HERE = Text("Practise from here")
ONCE_MORE = Text("Practice: the same game again from its start.")
PRACTICE = Text("Practice: branched off from another game.")
THAT_GAME = Text("See that game")
INVITE = Text("Send this link to the person you want to play with. The first to accept it takes the seat.")
THIS_COMPUTER = Text("This link works on this computer only.")
INVITE_LINK = Text("Invitation link")
COPY = Text("Copy the link")
COPIED = Text("Copied")
MORE = Text("More")
TO_DO = Text("What to do")
AT_THE_TABLE = Text("At the table")
YOU = Text("you")
NOBODY_YET = Text("not here yet")
A_PERSON = Text("a guest")
OFFLINE_PAGE = Text(
    "You are offline, or the server cannot be reached. Nothing is lost: your games are kept there."
)
OFFLINE_GAMES = Text("Play offline")
NOT_KEPT_OFFLINE = Text("The games could not be fetched. Try again with a connection.")
BRING = Text("Save it to your games")
BRING_RECORD = Text("Bring a game from elsewhere")
LOADING_OFFLINE = Text("The game begins in a moment.")
PYTHON_FORBIDDEN = Text("The host of this page does not let the games run: its policy forbids WebAssembly.")
PAGE_FAILED = Text("This page could not be drawn. The reason:")
STORAGE_FULL = Text("This browser keeps no more games. Save this one as a file before you close the page.")
SAVE_GAME = Text("Save the game")
OPEN_ELSEWHERE = Text("The games have been opened in another tab.")
GO_ON_HERE = Text("Go on here")
NEWER_VERSION = Text("A newer version of the games has come. Nothing that was played is lost.")
NEEDS_HOST = Text(
    "Opened as a file, the games cannot run. Put the folder on a host of pages, or serve it here: {command}"
).fill(command="python3 -m http.server")
NEEDS_WINDOW = Text("Inside another page the games cannot run. Open them in a window of their own:")
NEEDS_BROWSER = Text("The games need a newer browser, or one in which WebAssembly is turned on.")
GAMES_STOPPED = Text("The games have stopped. Nothing that was played is lost.")
NEEDS_SCRIPTS = Text("Playing here needs scripts. The rules can be read without them:")
INTRO_ALONE = Text(
    "Free, without an account. Play alone, against a bot, or with somebody at the same screen."
)
PLAYED_OFFLINE = Text("Played offline, where the luck can be known beforehand: it does not count.")
IN_OFFLINE_PLAY = Text("played offline")
SETTINGS = Text("Settings")
SAVE = Text("Save")
CLOCK_UNKNOWN = Text("not known while the connection is cut")

# clocks
TIME = Text("Time", "how much of it each player has")
NO_CLOCK = Text("no clock")
OWN_TIME = Text("Custom time")
LIVE_CONTROL = Text("{minutes} min + {seconds} s a turn")
SLOW_CONTROL = Plural("{n} day a turn, {in_hand} in hand", "{n} days a turn, {in_hand} in hand")
WITH_WEEKENDS = Text("{control}, not at weekends")
DAYS_AND_HOURS = Text("{days} d {hours} h", "a duration")
CLOCKS = Text("Clocks")
TIME_OF = Text("Time left, {who}")
FIRST_MOVE = Text("First move:", "and the time left for it")
TWO_MINUTES_LEFT = Text("Two minutes left.")
THIRTY_SECONDS_LEFT = Text("Thirty seconds left.")
DAYS_OFF_UNTIL = Text("days off until {day}")
DAYS_OFF = Text("Days off")
ABORT = Text("Abort the game")
HAS_LEFT = Text("{who} has left. You may wait, or claim the game after this time:")
MAY_CLAIM = Text("{who} has left. You may wait, or claim the game.")
CLAIM_WIN = Text("Claim the win")
CLAIM_DRAW = Text("Claim a draw")
GIVEN_BACK = Text("The server could not be reached for {time}; the clock was not charged with it.")

# the end
YOU_WON = Text("You won.")
NOT_BEGUN = Text("No game was played.")
YOU_LOST = Text("You lost.")
DRAWN = Text("A draw.")
SCORES = Text("Scores")
AGAIN = Text("Play again")
ASK_REMATCH = Text("Ask for a rematch, seats swapped")
AGAIN_SWAPPED = Text("Rematch, seats swapped")
SAME_DEAL = Text("Same deal again")
REMATCH = Text("The rematch is open: go there")
ENVELOPE = Text("Verify the luck")
RECORD = Text("Record")
SEALED = Text("The sealed envelope of luck")
EXPLORE = Text("Solved positions")
PLAN_AHEAD = Text("Plan ahead", "choose moves for later, while the other is to move")
HOW_TO_PLAN = Text("Choose the move that is to be played by itself, once it is possible. Esc ends this.")
PLANNED = Text("Planned:", "moves that are played by themselves")
PLANNED_AFTER = Text("After “{step}”: {move}")
DROP_PLAN = Text("Drop the plan")
PLAN_DROPPED = Text("Your planned move no longer fits.")
ABOUT_PLANS = Text(
    "A planned move is played by itself, at once, if it is possible then. Nobody else sees it. Choose on the board "
    "too, while it is the other’s turn."
)
TRY_MOVES = Text("Try moves out", "on a board of one’s own, while a match goes on")
CHANCE_ANSWERS = Text("Chance is next. Choose what it answers:")
THROW = Text("Throw", "let chance answer")
AFTER_MOVE = Text("After move {n}")
VARIATION_AFTER = Plural(
    "A variation, {n} step after move {move}", "A variation, {n} steps after move {move}"
)
EXPLORE_GAME = Text("{game}: solved positions")
VALUE_OF_POSITION = Text("{player} to move: {value}")
VALUE_WON = Text("won", "the value of a position or a move")
VALUE_DRAWN = Text("drawn", "the value of a position or a move")
VALUE_LOST = Text("lost", "the value of a position or a move")
VALUE_WON_IN = Plural("won in {n} step", "won in {n} steps")
VALUE_LOST_IN = Plural("lost in {n} step", "lost in {n} steps")
VALUE_UNKNOWN = Text("not known", "the value of a position or a move")
MOVE_HEADING = Text("Move", "the heading of a column")
STEP_BACK = Text("Step back")
REVIEW = Text("Review", "of a game that is over")

# other pages
INVITATION = Text("Invitation to {game}")
INVITED_BY = Text("{who} plays {theirs}. Your seat: {yours}.")
BASE_GAME = Text("This is the base game, as in its rulebook.")
VARIANTS = Text("Variants: {options}.")
OPTION = Text("{name} ({value})")
NO_EFFECT = Text("{option}, which has no effect on this board")
NO_EFFECT_WITH = Text("{option}, which has no effect with: {other}")
WATCH = Text("Just watch")
KEPT = Text("The match is over, and its record is kept.")
WRONG = Text("Something went wrong")
ANEW = Text("Open it again")
ASK_AGAIN = Text("Ask again")
TO_LOBBY = Text("All games")
TO_TABLE = Text("Back to the table")
API = Text("Programs can play over HTTP and JSON, without a key. Every call is described in")
LANGUAGE = Text("Language")
THEME = Text("Colours")
THEMES = {
    "": Text("same as system"),
    "light": Text("light"),
    "dark": Text("dark"),
}

# the sealed envelope
STILL_SEALED = Text("The envelope is still sealed. It is opened when the game has ended, however it ends.")
SEAL = Text("The seal")
WORDS = Text("Words of the players")
BY_YOURSELF = Text("Check it yourself")

# the luck of the whole site
FAIRNESS = Text("Is the luck fair?")
FAIRNESS_TEXTS = (
    Text(
        "Before each game the server draws a secret, and shows its seal. Your words and the secret together "
        "decide every throw, so that nobody can choose one. After the game the envelope is opened, and anybody "
        "can work out all its throws again."
    ),
    Text(
        "Unbroken seals do not prove that the secrets are fair. So all throws of all finished games are counted, "
        "and compared with fair dice, coins and tiles."
    ),
)
ALL_THROWS = Text("All throws together")
SITE_THROWS = Text("Finished games: {games}; throws: {throws}")
GAME_NAME = Text("Game")
THROWS = Text("Throws")
OUTCOMES = Text("Outcomes")
UNTESTED_THROWS = Text("Not tested, because there were too few throws: {n}.")

# the review
OF_GAME = Text("{game}\u00a0· {what}")
REVIEWING = Text("The best bot is looking at every choice of this game.")
CHOICE_OF = Text("Choice {n} of {total}")
TURNING_POINTS = Text("Turning points")
TRY_AGAIN_HERE = Text("Try again from here")
HOW_TO_DRAW = Text(
    "With the right mouse button, or with M at two places, you draw an arrow, and at one place a ring. "
    "The address keeps them."
)
PLAYED_MOVE = Text("Played:")
TIP_BETTER = Text("Better at move {n}: {move} ({better} instead of {played}).")
TIP_SHOW = Text("Show it", "the board with a better move")
TIP_WELL_PLAYED = Text("Well played: the best bot found nothing to improve in your choices.")
INSTEAD = Text("Better:")
ALL_CHOICES = Text("Every choice")
POINTS = Text("points")
ABOUT_REVIEW = Text(
    "These are estimates by the best bot, which searched at each choice. Differences of less "
    "than {points} points may be chance."
)
DAILY = Text("Deal of the day")
DAILY_OF = Text("Deals of {day}")
CLOSES_IN = Text("Closes in {hours} h {minutes} min, at midnight UTC.")
PLAYED_BY = Plural("Finished by {n} player.", "Finished by {n} players.")
PLACE_OF = Text("Place {place} of {n}.")
BETTER_THAN = Text("Better than {share} of the others.")
NO_PLACE = Text("Places are for accounts that are older than the day.")
PAR = Text("The best bot:")
TOO_LATE = Text("This game does not count: it was not played to its end in time.")
PLAY_SECOND = Text("Play the second game")
SHARE = Text("Share")
COPY_TEXT = Text("Copy text")
TEXT_TO_SHARE = Text("Text to share")
SAVE_AS = Text("Save as {kind}")
SHARED = Text("{site} · {game} · deal of {day}")
PLACE = Text("Place", "in a ranking")
PLAYER_NAME = Text("Name of the player")
HOW_IT_ENDED = Text("How it ended")
SOMEBODY = Text("Guest")
IS_SEALED = Text("Until this deal has closed, nobody but you sees this game.")
TRAIN = Text("Train")
TRAIN_GAME = Text("Train: {game}")
TRAIN_STRIP = Text("One position after another: find the best move, and see why.")
DAILY_STRIP = Text("One deal a day, the same for everyone. How far can you get?")


# tournaments
FIRST_PLACE = Text("First place: {who}")
TOURNAMENT = Text("Tournament")
TOURNAMENTS = Text("Tournaments")
DUEL = Text("Solitaire duel")
ABOUT_DUEL = Text(
    "Solitaire duel: two people play the same deal, each at a table of their own, and the higher score wins. It "
    "begins "
    "at once, is for whoever comes first by its link, and closes when both have played, or when its time is over. "
    "Until then neither sees the game of the other."
)
DUPLICATE_PAIR = Text("Duplicate pair")
PAIR_SCORE = Text("{points} ({margin})")
DEAL_CLOSES = Text("The deal closes in {time}.")
DEAL_PLAYED = Text("Finished the deal: {n} of {of}.")
PLAY_DEAL = Text("Play the deal")
YOUR_GAME = Text("Your game")
ABOUT_TOURNAMENT_RESULTS = Text(
    "A player who does not take the first turn in time loses. Players who have blocked each other do not meet: where "
    "everybody plays everybody, each gets half a point without a match. Games against bots are not rated."
)
OPEN_TOURNAMENT = Text("Open a tournament")
IN_MINUTES = Text("in {n} min")
IN_HOURS = Text("in {n} h")
IN_DAYS = Plural("in {n} day", "in {n} days")
OPENED_BY_LINK = Text("Only people with its link find it. It is played if at least two have entered by then.")
TOURNAMENT_NEEDS_ACCOUNT = Text(
    "To enter or open a tournament you need an account: a name and a passkey or password."
)
UNRATED = Text("Unrated")
BEGINS_IN = Text("Begins in {time}")
BEGINS_NOW = Text("Begins now")
TOURNAMENT_RUNS = Text("Under way")
TOURNAMENT_OVER = Text("Over")
TOURNAMENT_CANCELLED = Text("Cancelled: fewer than two had entered")
ENTER = Text("Enter", "a tournament")
ENTER_BOTS = Text("Enter bots")
POINTS_SIGN = Text("Pts", "points, heading of a narrow column")
POINTS_NAME = Text("Points scored")
HAS_WITHDRAWN = Text("withdrawn", "from a tournament")
MATCH_GOES_ON = Text("in progress")
HOUSE_NAME = Text("{name}, {game}", "a bot and its game")
NUMBERED = Text("{name} no. {n}", "one of several bots of the same level")
HOW_IT_IS_PLAYED = Text("How it is played")
ALL_TOURNAMENTS = Text("All tournaments")

# longer explanations
ENVELOPE_EXPLAINED = (
    Text(
        "Before the first step the server drew a secret number, put it into an envelope, and showed only the "
        "seal: a fingerprint that fits this secret and no other."
    ),
    Text(
        "Everyone who sat down could add words of their own, which were mixed into the secret. "
        "Nobody could change the luck after the first step. If somebody who sat down after the "
        "seal was shown added words, nobody could choose the luck beforehand either, not even "
        "the server."
    ),
    Text(
        "Every throw and draw follows from the secret and the words. When the game has ended, "
        "the envelope is opened, and anybody can check that the secret fits the seal and gives "
        "exactly these throws."
    ),
)

ABOUT_TEXTS = (
    (
        None,
        (
            Text(
                "Games that need little more than coins, tiles and dice. Play alone, against a bot, with "
                "somebody at the same screen, or with a friend through a link. No account is needed, and "
                "there is nothing to buy."
            ),
        ),
    ),
    (
        Text("Playing"),
        (
            Text(
                "Everything you can touch has a ring. Click or tap it, or drag a piece to its place. On "
                "a keyboard, Tab and the arrow keys move from ring to ring, Enter selects and Escape "
                "cancels; U undoes; ? opens the rules beside the board at the right place; H asks for a "
                "hint, but not against another person. The settings turn these letters off."
            ),
            Text(
                "With the log, or with the left and right arrow keys while the focus is not on the "
                "board, you can step through the whole game; new moves do not interrupt you."
            ),
        ),
    ),
    (
        LUCK,
        (
            Text(
                "The server decides all luck: dice, tosses and draws. It seals the secret behind them in an "
                "envelope before the first step and opens it after the last, so that anybody can verify "
                "every one of them."
            ),
        ),
    ),
    (
        Text("What is kept"),
        (
            Text(
                "A cookie holds your seats and your choice of language, colours, sound and keys. The server "
                "keeps the games and the names typed for them, and nothing else about you."
            ),
        ),
    ),
)
