"""The phrases of the pages, each defined once."""

from smallchange.i18n.labels import ADVICE as ADVICE
from smallchange.i18n.labels import HINT as HINT
from smallchange.i18n.labels import RULES as RULES
from smallchange.i18n.labels import UNDO as UNDO
from smallchange.i18n.text import Plural, Text

NAME = Text("Small Change")
SKIP = Text("Skip to main content")
SITE = Text("Site")
FULL_STOP = Text(".", "the end of a sentence")

# ratings
RATED = Text("Rated")
RATED_GAME = Text("Rated: the result counts for the ratings of both.")
RATED_AGAINST_HOUSE = Text("Rated: the result counts for the rating of the player; that of the bot is fixed.")
CASUAL_GAME = Text("Unrated: the result does not change ratings.")
ABOUT_RATED = Text(
    "Counts for the ratings of both. This needs two accounts, a time for the moves, and the game as in the rulebook; "
    "a game that ends before each side has made {n} moves does not count."
)
SIGN_IN_FOR_RATED = Text("This game is rated, so both players need an account.")
RATINGS = Text("Ratings")
RATING_FOLLOWS = Text("The new ratings follow in a moment.")
UNRATED_NO_RESULT = Text("This game does not count for the ratings, because it ended without a result.")
UNRATED_TOO_SHORT = Text(
    "This game does not count for the ratings, because it ended before each side had made {n} moves."
)
ABOUT_RATINGS = Text(
    "After ± stands the deviation: in two of three cases the strength is within it. A question mark means that too few "
    "games were played to tell."
)
NO_RATINGS = Text("No rated game yet.")
BLITZ = Text("blitz", "a speed of play: a few minutes for the whole game")
RAPID = Text("rapid", "a speed of play: a quarter of an hour or more")
BY_CORRESPONDENCE = Text("by correspondence", "a speed of play: days for a move")
RATING_GRAPH = Text("From {first} to {last} in {n} games, lowest {low}, highest {high}")
EXPECTED_SCORE = Text("Expected score against {points}: {share} (a draw counts half)")
YOUR_EXPECTED_SCORE = Text("Your expected score against this rating: {share}")
HOUSE_BOTS = Text("House bots")
ABOUT_HOUSE_BOTS = Text(
    "House bots are programs of this site with fixed ratings. They accept every challenge at once, so the first rated "
    "games already say how strong a player is."
)
HOUSE_BOT_OF = Text("A program: {level} of {game}.")
HOUSE_BOT_AWAY = Text("This bot does not play on this server now.")
FIXED_RATING = Text("Fixed rating")
POINTS_WITH_INTERVAL = Text("{points} ({low} to {high})")
ABOUT_FIXED_RATING = Text(
    "The rating never changes. {zero} of every game stands at {start}, where newcomers begin, and the other levels as "
    "far from it as measured games between neighbouring levels say. The interval is a 95% interval."
)
MEASURED_STEP = Text("{better} made {share} ({low} to {high}) of the points in {n} games against {other}:")
NO_HELP_WHEN_RATED = Text("In a rated game against a bot no move is taken back, and there are no hints.")
RATED_MATCHES = Plural("{n} rated game", "{n} rated games")
# watching
WATCH_GAMES = Text("Games to watch")
DELAY_NAME = Text("Spectators see the game")
NO_DELAY = Text("as it is played")
BEHIND = Plural("{n} move behind", "{n} moves behind")
DELAYED = Plural(
    "Until the game is over, spectators are {n} move behind its players.",
    "Until the game is over, spectators are {n} moves behind its players.",
)
ABOUT_WATCH = Text(
    "Rated games, and games of people who were paired or met in the lobby. Tables shared by a link alone "
    "are not listed."
)
FEATURED = Text("Now: {game}")
WATCH_IT = Text("Watch", "on a button")
WATCH_THIS = Text("Watch {game}")
MORE_TO_WATCH = Text("More games")
NOTHING_TO_WATCH = Text("No games to watch right now.")
WATCH_STRIP = Text("Rated games in progress.")
FRAME_CODE = Text("The table in a frame, as HTML")
PICTURE_CODE = Text("A picture with a link, as HTML")
GAME_OF_TWO = Text("{game}: {first} – {second}")
SPECTATORS = Plural("{n} person is watching.", "{n} people are watching.")
# notifications
NOTIFICATIONS = Text("Notifications")
NOTIFICATIONS_UNREAD = Text("Notifications: {n} unread")
UNREAD = Text("unread")
NEXT_GAME = Text("Next game that waits for you")
NEXT_GAME_SHORT = Text("Next game")
MARK_READ = Text("Mark all as read")
NO_NOTIFICATIONS = Text("None.")
ABOUT_NOTIFICATIONS = Text(
    "You are notified when it is your turn in a game by correspondence, when you have an offer to answer, when a game "
    "begins or ends while you do not have it open, and of the rounds and results of your seasons, leagues and duels."
)
CHOOSE_NOTIFICATIONS = Text("Choose what you are notified of")
NOTIFY_ME = Text("Notify me of:")

# notifications outside of our pages
PUSH = Text("On this device")
ABOUT_PUSH = Text(
    "The browser shows each, also when no page of this site is open; none comes while you have one in view. "
    "Only the maker of your browser knows when one comes, and not what it says."
)
PUSH_ON = Text("Notify me in this browser")
PUSH_OFF = Text("Turn off in this browser")
PUSH_HERE = Text("This browser notifies you.")
PUSH_REFUSED = Text("The browser does not allow it. Its settings for this site say why.")
PUSH_BROWSERS = Text("Browsers with notifications: {n}")
PUSH_END = Text("Turn off in all browsers")
WEBHOOK = Text("Send each to a webhook")
ABOUT_WEBHOOK = Text(
    "Half a minute after the change, unless you have seen it: a POST of JSON to this address."
)
DAILY_MAIL = Text("One e-mail a day")
ABOUT_DAILY_MAIL = Text(
    "It lists what is unread, and does not come when there is nothing. A new address must be confirmed first."
)
MAIL_ADDRESS = Text("E-mail address")
AT_HOUR = Text("At hour")
TIME_ZONE = Text("Time zone")
NOT_CONFIRMED = Text("This address is not confirmed yet: open the link in the mail.")
CONFIRM_MAIL = Text("Confirm your address")
ABOUT_CONFIRM = Text("One mail a day will come to this address, with what is unread.")
CONFIRM = Text("Confirm")
END_MAILS = Text("End the mails")
ABOUT_END_MAILS = Text("No more mails will come, and the address is forgotten.")
MAIL_DONE = Text("Done.")

# reports, and the keepers who read them
REPORT = Text("Report a player")
REPORT_WHOM = Text("Which player?")
REPORT_WHY = Text("What is it about?")
REPORT_MORE = Text("More about it (may be left empty)")
ABOUT_REPORT = Text("Only the keepers of this site read it. The other player is not told.")
NOBODY_TO_REPORT = Text("Nobody else sits at this table.")
REPORT_THANKS = Text("Thank you. The keepers of this site will look at it.")
KEEPERS = Text("For keepers")
REPORTS = Text("Reports")
NO_REPORTS = Text("No report is open.")
REPORTED_BY = Text("reported by {who}")
ITS_TABLE = Text("the table")
NOTE_FOR_LOG = Text("Note for the log")
NEW_NAME = Text("New name")
CLOSE_REPORT = Text("Close, nothing to do")
HIDE_NAME = Text("Hide the name")
BAN = Text("Ban")
UNBAN = Text("Lift the ban")
BANNED_ACCOUNTS = Text("Banned accounts")
KEEPERS_LOG = Text("Log of the keepers")
NO_ACTIONS = Text("Nothing yet.")
COMMAND_LINE = Text("the command line")

LEADERS = Text("Leaderboards")
LEADERS_OF = Text("{game}: leaderboard")
NO_LEADERS = Text("Nobody is listed yet.")
LEADERS_BY_TRAFFIC = Text("The more people play, the more games it takes to be listed.")
ABOUT_LEADERS = Plural(
    "Accounts are listed after {n} rated game, once their deviation is {deviation} or less.",
    "Accounts are listed after {n} rated games, once their deviation is {deviation} or less.",
)

# meeting
FIND_OPPONENT = Text("Find an opponent")
FIND_STRIP = Text("Someone near your level, in several games at once.")
ABOUT_SEEK = Text(
    "Choose every game and time you would play. You are paired with someone near your level who wants the"
    " same; the longer you wait, the wider the range. Sides are drawn by lot."
)
SEEK_NEEDS_ACCOUNT = Text("This needs an account, so that opponents find you and the game can be rated.")
GAMES = Text("Games")
LOOK_FOR_OPPONENT = Text("Look for an opponent")
LOOKING = Text("Looking for an opponent")
WAITING_SINCE = Text("You have waited:")
SEEK_LASTS = Text(
    "This page leads you to the table. For games by the minute keep it open; a game by correspondence is found for "
    "days, and then stands under your games."
)
YOUR_BOTS = Text("Your bots")
ABOUT_BOTS = Text(
    "A bot is a program of yours that plays here under a name of its own, which ends with “(bot)”. It signs in by a "
    "token, and people challenge it by name. Its page says that it is yours. Games against people may be rated."
)
NEW_BOT = Text("A new bot")
CREATE_BOT = Text("Create the bot")
TOKEN = Text("Token")
NO_TOKENS = Text("It has no token yet, so no program can play for it.")
TOKEN_LABEL = Text("Label of a new token, such as the name of a computer")
MAKE_TOKEN = Text("Make a token")
ABOUT_NEW_TOKEN = Text(
    "This is the new token. It is shown once: keep it where nobody else can read it. Programs send it in the header "
    "“Authorization: Bearer TOKEN”."
)
LAST_CONNECTED = Text("connected last {day}")
REVOKE = Text("Revoke")
REMOVE_BOT = Text("Remove this bot")
ABOUT_REMOVE_BOT = Text("Its name and tokens go, and its games stay without a name.")
BOT_OF = Text("A program plays by this account. Its owner:")
BOTS_OF_PROFILE = Text("Owner of the bots:")
BOTS_HERE = Text("Other people’s bots")
ABOUT_BOTS_HERE = Text("Programs that were online in the last day. Challenge one on its page.")
BOT_MEANWHILE = Text("No one yet. You can play a bot in another tab meanwhile; the search goes on here.")
PLAY_HOUSE_BOT_NOW = Text("This house bot begins a rated game at once; you look for nobody else then.")
PLAY_RATED = Text("Play {name}, rated {rating}")
PLAY_BOT = Text("Play {game} against a bot")
STOP_LOOKING = Text("Stop looking")
CHALLENGE = Text("Challenge", "heading: ask this person for a game")
CHALLENGE_BY_NAME = Text("Challenge someone by name")
SEND_CHALLENGE = Text("Send the challenge")
CHALLENGES = Text("Challenges")
CHALLENGE_SENT = Text("sent by you")
CHALLENGE_RECEIVED = Text("asks you for a game")
CHALLENGE_TO = Text("Challenge to {who}")
CHALLENGE_BY = Text("{who} challenges you")
CHALLENGE_WAITS = Text("Waiting for an answer. This page leads you to the table.")
CHALLENGE_DECLINED = Text("The challenge was declined.")
CHALLENGE_LAPSED = Text("The challenge has lapsed.")
PROFILE = Text("Your page, as others see it")
BLOCK = Text("Block")
UNBLOCK = Text("Unblock")
ABOUT_BLOCK = Text("You never meet someone you have blocked at a table.")
SAY_SOMETHING = Text("Say something")
SAY_HELLO = Text("Hello!")
SAY_LUCK = Text("Good luck!")
SAY_WELL_PLAYED = Text("Well played!")
SAY_THANKS = Text("Thank you for the game!")
SAY_MOMENT = Text("One moment, please.")
SAY_LEAVING = Text("I have to go.")
SAID = Text("{who}: {what}")
MUTE = Text("Mute chat")
UNMUTE = Text("Unmute chat")
FOLLOW = Text("Follow")
UNFOLLOW = Text("Unfollow")
ABOUT_FOLLOW = Text("The people you follow are listed where you look for an opponent. They are not told.")
IS_FOLLOWED = Text("You follow this person.")
FOLLOWED = Text("People you follow")
IS_BLOCKED = Text("You have blocked this person, so you do not meet at a table.")

# accounts
SIGN_IN = Text("Sign in")
SIGN_UP = Text("Create an account")
GO_ON_ELSEWHERE = Text("Go on in another browser")
ABOUT_GO_ON = Text(
    "Your seats belong to this browser. A link brings them to another one, on this device or the next."
)
MAKE_LINK = Text("Make a link")
ABOUT_LINK = Text(
    "Open this link in the other browser, or point its camera here. It works once, for {minutes} minutes; "
    "whoever opens it has your seats, so show it to nobody else."
)
GO_ON_HERE = Text("Go on in this browser")
ABOUT_GO_ON_HERE = Text(
    "From then on both browsers hold the same seats: each plays all games of the other. Go on only if you made this "
    "link yourself. It works once."
)
WHOSE_LINK = Text("This link joins a browser in which the name “{name}” is used.")
NAMELESS_LINK = Text("This link joins a browser in which no name has been used yet.")
GAMES_OF_LINK = Text("Seats there: {n} ({games}).")
OWN_GAMES_HERE = Text("Your own seats in this browser: {n}")
TAKE_GAMES_ALONG = Text("Take them along: the other browser has them too.")
LEAVE_GAMES = Text("Leave them behind: nobody can play on with them.")
SIGN_OUT = Text("Sign out")
ACCOUNT = Text("Your account")
NO_ACCOUNT_NEEDED = Text(
    "You can play without an account. With one you have the same seats on every device, and a name that is yours alone."
)
SIGN_IN_BY_PASSKEY = Text("Sign in with a passkey")
SIGN_UP_BY_PASSKEY = Text("Create an account with a passkey")
ABOUT_SIGN_UP = Text("No e-mail address is needed. The games that you are playing now come with you.")
ACCOUNT_NAME = Text("Name")
PASSWORD = Text("Password")
PASSWORD_OR_CODE = Text("Password or recovery code")
CURRENT_PASSWORD_OR_CODE = Text("Current password or recovery code")
NEW_PASSWORD = Text("New password")
SET_PASSWORD = Text("Set a password")
CHANGE_PASSWORD = Text("Change password and sign out everywhere else")
SEATS_OF_ACCOUNT = Text("Seats at tables: {n}.")
RECOVERY_CODES = Text("Recovery codes")
ABOUT_CODES = Text(
    "Write these down now; they are not shown again. Each signs you in once, in place of your password."
)
CODES_LEFT = Text("Recovery codes left: {n}.")
NEW_CODES = Text("Make new recovery codes")
PASSKEYS = Text("Passkeys")
PASSKEY_OF_DAY = Text("Passkey {n}, made on {day}")
NO_PASSKEY = Text("A passkey signs you in with your fingerprint, your face or the code of your device.")
ADD_PASSKEY = Text("Add a passkey")
PASSKEY_FAILED = Text("Something went wrong. Try again, or use your password.")
AUTHENTICATE = Text("Confirm that it is you")
ABOUT_AUTHENTICATE = Text(
    "This concerns the safety of your account. After this you are not asked again for {minutes} minutes."
)
USE_PASSKEY = Text("Use a passkey")
REMOVE = Text("Remove")
SESSIONS = Text("Where you are signed in")
THIS_BROWSER = Text("this browser")
SINCE_DAY = Text("since {day}")
END_OTHER_SESSIONS = Text("Sign out everywhere else")
CHANGE = Text("Change", "heading: what can be changed of an account")
RENAME = Text("Change name")
YOUR_DATA = Text("Your data")
EXPORT = Text("Download everything that is stored of me")
ERASE = Text("Erase this account")
ABOUT_ERASE = Text(
    "Your name, passkeys, password and sessions are removed for good. Games that you played stay, without your name."
)
TYPE_NAME = Text("Type your name to confirm")

# guided first games
LEARN = Text("Learn by playing")
LEARN_SHORT = Text("Learn", "a game by playing it")
LEARN_GAME = Text("{game}: a guided first game")
LEARN_THIS = Text("Learn {game} by playing", "a link")
SKIP_LESSONS = Text("Skip")
NEXT_LESSON = Text("Next", "to the next lesson")
PREVIOUS_LESSON = Text("Back", "to the lesson before")
PLAY_NOW = Text("Play a game")

# the lobby
HEADLINE = Text("{n} games of coins, tiles and dice")
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
YOUR_MOVE = Text("Your move.")
START_HERE = Text("Touch a coin: first to get all coins off the far side wins. It takes two minutes.")
GOING_ON = Text("What is going on")
PLAYERS = Text("Players")
MINUTES = Text("Minutes")
DIFFICULTY = Text("Difficulty")
GENTLE = Text("Gentle")
MEDIUM = Text("Medium")
HARD = Text("Hard")
MEASURED = Text("A simple player won {won} of {n} games.")
BETTER = Text("In {n} games by a simple player, {share} did better.")
AS_WELL = Text("In {n} games by a simple player, none did better and {share} did as well.")
BEST_MEASURED = Text("The best bot won {won} of {n}.")
MEETS = Text("You play against {bot}.")
MEETS_MEASURED = Text("You play against {bot}, which scores {share} in {n} games against {other}.")
LEVELS = Text("There are {n} levels of bots under Options.")
BOTS = Text("{n} levels of bots")
PLAY = Text("Play")
WITH_A_FRIEND = Text("Invite")
PLAY_WITH_A_FRIEND = Text("Invite a friend to {game}")
PLAY_THIS = Text("Play {game}")
OPTIONS = Text("Options")
OPTIONS_OF = Text("Options of {game}")
RULES_OF = Text("Rules of {game}")
OPEN_TABLES = Text("Open tables")
NONE_OPEN = Text("No open tables right now. Open one of your own and list it here.")
YOUR_GAMES = Text("Your games")
AGAINST = Text("you are {yours}, against {who}")
AT_ONE_SCREEN = Text("both sides on one screen")
IN_PRACTICE = Text("practice")
MORE_GAMES = Text("Earlier games")
NEWER_GAMES = Text("Newer games")
NO_GAMES = Text("You have not played here yet.")
RUNNING = Text("Running")
FINISHED = Text("Finished")
RESULTS = Text("Results")
AGAINST_WHOM = Text("against {who}")
PEOPLE = Text("people")
CALLED = Text("{name}")
WON_OF = Text("{won} of {n} won")
WON_OF_TWO = Text("{won} won, {drawn} drawn, {lost} lost")
STEP_THROUGH = Text("Step through this example on a board")
STATISTICS = Text("Statistics")
WON_HEADING = Text("Won", "the heading of a column")
DRAWN_HEADING = Text("Drawn", "the heading of a column")
LOST_HEADING = Text("Lost", "the heading of a column")
REVIEWED_HEADING = Text("Reviewed", "the heading of a column")
LUCK_HEADING = Text("Luck", "the heading of a column")
GIVEN_HEADING = Text("Given away", "the heading of a column")
ABOUT_STATISTICS = Text(
    "Luck, and what choices gave away, are counted in wins over the games whose odds were worked out: a luck of +1 is "
    "one win more than the odds at the start promised."
)
ONLY_YOU = Text("Only you see this page.")
PLAY_RATING = Text("Play rating")
ABOUT_PLAY_RATING = Text(
    "The best bot judges each choice, whatever the luck. The play rating is the mean of the odds to win that a choice "
    "gives away, and the level of bots that gives away as much in games against itself. It counts reviewed games as in "
    "the rulebook, and is shown from {n} of them on, with 95% intervals."
)
AGAINST_DEALS = Text("against the deals: {rating} ± {doubt}, where the best bot has {best}")
ABOUT_DEAL_RATING = Text(
    "In a game for one the deals are your opponents: a deal that the best bot seldom wins has a high "
    "rating, and winning it gains a lot."
)
LIKE_LEVEL = Text("like level {level} ({low} to {high})", "a strength of play")
GIVEN_PER_CHOICE = Text(
    "gives away {share} ({low} to {high}) per choice, in {choices} choices of {games} games"
)
PLAY_RATING_LATER = Text("after {n} reviewed games; so far there are {have}")
GAMES_OF = Text("Games of {who}")
BEST_GAMES = Text("Best games")
ABOUT_BEST_GAMES = Text("Won games in which the choices gave away least, of those that were reviewed.")
ALL_FINISHED_GAMES = Text("All finished games, and their records")
GIVEN_IN_GAME = Text("{share} given away per choice")
ANY_RESULT = Text("any result")
OPPONENTS = Text("Opponents")
ANYBODY = Text("anybody")
BOTS_AS_OPPONENTS = Text("bots", "opponents")
SHOW_GAMES = Text("Show these games")
NO_SUCH_GAMES = Text("Games not found.")
RECORDS_OF_GAMES = Text("Records of these games")
ABOUT_RECORDS_OF_GAMES = Text(
    "One file has up to {n} games, from the first of this page on. PPN, the notation of the piecepack, has those that "
    "are played with one."
)
SHOW_PROFILE = Text("What your page shows")
SHOW_RESULTS = Text("Show everybody my results, my games and my play ratings")
ONLY_YOU_SEE = Text("Only you see the results below. Your account has the choice of what your page shows.")
ABOUT_SHOW = Text("Your name and your ratings are always shown.")
NO_STATISTICS = Text("You have not finished a game yet that counts.")
UNCOUNTED = Text("Practice and games in which you play both sides do not count.")
SIT_DOWN = Text("Sit down")
GO_ON = Text("Continue")
LOOK_AT = Text("View")
ABOUT = Text("About")
DOCUMENTATION = Text("Documentation")
NEW_GAME = Text("New game")
CLOSE_UP = Text("{game}, seen from above")

# a new table
WHO_PLAYS = Text("Who plays")
TOSS = Text("Toss for sides")
ME = Text("me")
STRENGTHS = Text("Strengths were measured on the base game, with 95% intervals; a draw counts half a point.")
THE_BOTS = Text("What the bots are")
BOT = Text("{title}: {strength}")
OPEN_SEAT = Text("a friend, by a link")
YOUR_NAME = Text("Your name, if you like")
YOUR_WORDS = Text("Words of your own to mix into the luck, if you like")
ABOUT_WORDS = Text(
    "They are mixed into the luck of this game. If you leave them out, your browser adds random ones."
)
SEALED_ALREADY = Text(
    "The secret of its luck is in the envelope already, and this is its seal. Nobody could "
    "foresee what you add now."
)
SEALED_LUCK = Text("The sealed luck")
LIST_IT = Text("List this table in the lobby while a seat is free")
FAULT = Text("{option}: {why}.")
FAULT_HERE = Text("{why}.")
FROM_TO = Text("{low} to {high}")
OWN_DRAWING = Text("a drawing of your own")
BY_HAND = Text("drawn by hand")
DRAWING_HELP = Text("Leave it empty to use the choice above. A drawing is checked as you write.")
SHOW_PICTURE = Text("Show the picture")
PICTURE = Text("How it begins")
EXAMPLE = Text("One way it may begin")
HOW_HARD = Text("How hard is it?")
BEING_PLAYED = Text("Simple players are playing it to find out.")
SIMPLE = Text("a simple player"), Text("two simple players")
BEST = Text("the best bot"), Text("two of the best bots")
WON = Text("{who} won {share} of {n} games (95% interval {low} to {high}).")
WON_EACH = Text(
    "Between {who}, {first} won {share} of {n} games (95% interval {low} to {high}) and {second} {other}."
)
REST_DRAWN = Text("The rest were draws.")
AS_IN_RULEBOOK = Text("as in the rulebook")
STRONG_WINS = Text("A strong player wins {share} of games.")
STRONG_WIN_EACH = Text("Between strong players, {one} wins {first} of games and {two} {second}.")
SIMPLE_WINS = Text("A simple player wins {share} of games.")
SIMPLE_WIN_EACH = Text("Between simple players, {one} wins {first} of games and {two} {second}.")
HOW_MEASURED = Text("How was this measured?")
WAYS_TO_PLAY = Text("Ways to play")
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
ABOUT_DEALS = Text(
    "An opening is easy, medium or hard by how often the best bot wins from it. The search takes seconds, rarely a "
    "minute. The luck after the opening is not chosen. The game as in the rulebook and some presets have this choice."
)
NO_DEALS = Text(
    "Deals cannot be chosen by difficulty with these options: that was not measured, or tells deals apart too little."
)
DEAL_SEARCH = Text("Looking for a deal")
DEAL_SEARCHED = Text(
    "The best bot looks for a deal that is as hard as you want. The game begins by itself when it is found."
)
SEARCHED_FOR = Plural("For {n} second already.", "For {n} seconds already.")
CHOSEN_DEAL = Text("Deal: {difficulty}")
# drawing a board, and variants that are saved
DRAW_BY_TOUCH = Text("Draw it by touch")
DRAW_BOARD = Text("{game}: draw a board")
DRAW_HELP = Text("Choose what to draw, then touch or drag over the places. Touch a place again to clear it.")
DRAW_BY_TYPING = Text(
    "Drawing by touch needs scripts, which are off in this browser. Type the drawing instead, a line for each row."
)
DRAW_KEYS = Text(
    "With the keyboard: the arrow keys move, Space draws, Delete clears, digits choose what to draw, Ctrl+Z takes back."
)
BEGIN_WITH = Text("Begin with")
DRAW_WHAT = Text("What to draw")
SHEET = Text("Drawing")
CELL = Text("row {row}, column {column}: {sign}")
COLUMNS = Text("Columns")
ROWS = Text("Rows")
KEEP_EDGES = Text("Keep empty rows and columns at the edges")
CLEAR_ALL = Text("Clear all")
AS_TEXT = Text("The drawing as text")
OWN_NAMES = Text("Own names (up to {n} characters)")
NAME_LINE = Text("a name, in a line below: a = Old Port")
SIGN = Text("{sign}: {meaning}")
NAME_BOARD = Text("Its name")
ABOUT_NAME_BOARD = Text("Anyone with the link sees it.")
SAVE_AND_SHARE = Text("Save and share")
SHOW_ODDS = Text("Measure it")
YOUR_BOARDS = Text("Your boards")
UNNAMED = Text("A board without a name")
DRAW_ON = Text("Draw on")
BOARD_LINK = Text("A link to this board")
SAVE_PICTURE = Text("Save the picture")
REMOVE_BOARD = Text("Remove this board")
ABOUT_REMOVE_BOARD = Text("Its link stops working. Games that were begun with it go on.")

# the table
BOARD = Text("Board")
TRAYS = Text("Beside the board")
MOVE = Text("move {n}")
YOU_ARE = Text("You are {yours}")
YOU_ARE_BOTH = Text("You play both sides")
YOUR_TURN = Text("Your turn")
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
CHOOSE = Text("{said}. Choose where")
CHOSEN_SPOT = Text("{place}: chosen. Choose where, or touch again to let go")
CHOSEN = Text("{what}, {place}: chosen. Choose where, or touch again to let go")
TO_MARK = Text("Mark what to use")
DO_MARKED = Text("Use what is marked")
NOT_THESE = Text("Not possible with these")
EVERY_MOVE = Text("All moves ({n})")
IF_TOUCHED = Text("Touch the ring:")
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
HINT_COMING = Text("The best bot is thinking about it.")
OFFER = {"draw": Text("Offer a draw"), "undo": Text("Ask to take back")}
WITHDRAW_OFFER = Text("Withdraw the offer")
AGREE = Text("Agree on a draw")
ACCEPT = Text("Accept")
DECLINE = Text("Decline")
RESIGN = Text("Resign")
RESIGN_ALONE = Text("Give up")
SURE = Text("Yes, end this game")
WITHDRAW = Text("Withdraw this table")
PRACTICE_HERE = Text("Practise from here")
ONCE_MORE = Text("Practice: the same game again from its start.")
PRACTICE = Text("Practice: branched off from another game.")
THAT_GAME = Text("See that game")
INVITE = Text("Send this link to the person you want to play with. The first to accept it takes the seat.")
THIS_COMPUTER = Text("This link works on this computer only.")
FOR_OTHERS = Text(
    "To let others in, open this page at this computer’s network address. For that, start the server with"
)
INVITE_LINK = Text("Invitation link")
COPY = Text("Copy the link")
COPIED = Text("Copied")
MORE = Text("More")
TO_DO = Text("What to do")
AT_THE_TABLE = Text("At the table")
YOU = Text("you")
NOBODY_YET = Text("not here yet")
A_PERSON = Text("a guest")
SOUND = Text("Sound")
AGAIN_SEEN = Text("See the last turn again")
OFFLINE_PAGE = Text(
    "You are offline, or the server cannot be reached. Nothing is lost: your games are kept there."
)
OFFLINE_GAMES = Text("Play offline")
ABOUT_OFFLINE = Text(
    "All games can be played in this browser without a connection, once their page has been visited. A finished game"
    " can be brought here: it is checked by the rules and listed among your games, but it does not count."
)
NO_OFFLINE = Text("This server offers no games to be played offline.")
NOT_KEPT_OFFLINE = Text("The games could not be fetched. Try again with a connection.")
BRING = Text("Save it to your games")
BRING_RECORD = Text("Bring a game from elsewhere")
LOADING_OFFLINE = Text("The game begins in a moment.")
PLAYING_OFFLINE = Text("You play offline: this game is in your browser alone.")
PLAYED_OFFLINE = Text("Played offline, where the luck can be known beforehand: it does not count.")
IN_OFFLINE_PLAY = Text("played offline")
SETTINGS = Text("Settings")
SAVE = Text("Save")
LEAVE_AS_IT_IS = Text("Cancel")
SHOW_SETUP = Text("Show the setup too")
SKIP_TURNS = Text("Skip to the present")
LETTERS = Text("Letter keys")
MOVE_WAITS = Text("No connection. Your move waits, and is sent as soon as there is one; reconnecting.")
CLOCK_UNKNOWN = Text("not known while the connection is cut")
OFFLINE = Text("No connection. The board stays as it is; reconnecting.")
BACK_ONLINE = Text("Connected again.")
TAKEN_BACK = Text("Taken back.")
MOVED_ON = Text("The game has moved on meanwhile.")
OPEN_APART = Text("Open on a page of its own")
SHUT = Text("Close")

# clocks
TIME = Text("Time", "how much of it each player has")
NO_CLOCK = Text("no clock")
OWN_TIME = Text("Custom time")
OWN_TIME_HELP = Text(
    "Minutes and seconds added a turn, as 7+5; or days a turn and days in hand, as 2d+5d, with a w at the end to "
    "pause at weekends."
)
LIVE_CONTROL = Text("{minutes} min + {seconds} s a turn")
SLOW_CONTROL = Plural("{n} day a turn, {in_hand} in hand", "{n} days a turn, {in_hand} in hand")
WITH_WEEKENDS = Text("{control}, not at weekends")
DAYS_AND_HOURS = Text("{days} d {hours} h", "a duration")
CLOCKS = Text("Clocks")
TIME_OF = Text("Time left, {who}")
TWO_MINUTES_LEFT = Text("Two minutes left.")
THIRTY_SECONDS_LEFT = Text("Thirty seconds left.")
DAYS_OFF_UNTIL = Text("days off until {day}")
DAYS_OFF = Text("Days off")
ABOUT_DAYS_OFF = Text(
    "Days off stop all your correspondence clocks at once, and your opponents see until when. Left this year: {n}."
)
TAKE_DAYS_OFF = Text("Take days off")
OFF_NOW = Text("You are off until {day}.")
END_DAYS_OFF = Text("End your days off")
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
REPLAY = Text("Look back")
ENVELOPE = Text("Verify the luck")
RECORD = Text("Record")
SEALED = Text("The sealed envelope of luck")
EXPLORE = Text("Solved positions")
ANALYSIS = Text("Analysis board")
ANALYSE_HERE = Text("Analyse from here")
ODDS_OF_MOVES = Text("The odds of each move")
ODDS_HEADING = Text("Odds", "the heading of a column")
CHANCE_ANSWERS = Text("Chance is next. Choose what it answers:")
PROBABILITY_HEADING = Text("Probability", "the heading of a column")
OUTCOME_HEADING = Text("Outcome", "the heading of a column")
THROW = Text("Throw", "let chance answer")
STEP_ON = Text("Step forward")
BACK_TO_MATCH = Text("Back to the game’s own moves")
AFTER_MOVE = Text("After move {n}")
VARIATION_AFTER = Text("A variation, {n} steps after move {move}")
LOOKING_AT_MOVES = Text("The bot is looking at the moves. This page comes again by itself.")
NO_ODDS_NOW = Text(
    "There are no odds just now, because many positions were asked for. Try again in a minute."
)
ABOUT_ANALYSIS = Text(
    "The odds are those of the best bot, which looks at each move more briefly here than in a review. The address of "
    "this page is a link to this position."
)
EXPLORE_GAME = Text("{game}: solved positions")
VALUE_OF_POSITION = Text("{player} to move: {value}")
VALUE_WON = Text("won", "the value of a position or a move")
VALUE_DRAWN = Text("drawn", "the value of a position or a move")
VALUE_LOST = Text("lost", "the value of a position or a move")
VALUE_WON_IN = Text("won in {n} steps")
VALUE_LOST_IN = Text("lost in {n} steps")
VALUE_UNKNOWN = Text("not known", "the value of a position or a move")
VALUES_OF_MOVES = Text("The value of each move")
VALUE_HEADING = Text("Value")
MOVE_HEADING = Text("Move", "the heading of a column")
MOVES_OF_PIECE = Text("Show the moves of this piece")
STEP_BACK = Text("Step back")
TO_OPENING = Text("To the start of the game")
NOT_IN_TABLES = Text(
    "This position is not in the tables of this server. "
    "It has the whole game on small boards, and the opening of large ones."
)
ABOUT_VALUES = Text(
    "With perfect play on both sides, for the player to move. "
    "A win is counted to its end, both players' steps together. "
    "Limits on long play are left out: play without an end is a draw."
)
REVIEW = Text("Odds and luck")
REVIEW_WITHOUT_LUCK = Text("Odds and best moves")

# other pages
JOIN = Text("You are invited to a game of {game}.")
INVITATION = Text("Invitation to {game}")
ABOUT_MINUTES = Text("It takes about {n} minutes.")
INVITED_BY = Text("{who} plays {theirs}. Your seat: {yours}.")
BASE_GAME = Text("This is the base game, as in its rulebook.")
VARIANTS = Text("Variants: {options}.")
OPTION = Text("{name} ({value})")
WITHOUT = Text("no")
NO_EFFECT = Text("{option}, which has no effect on this board")
NO_EFFECT_WITH = Text("{option}, which has no effect with: {other}")
TAKE_SEAT = Text("Take the seat")
WATCH = Text("Just watch")
KEPT = Text("The match is over, and its record is kept.")
WRONG = Text("Something went wrong")
ANEW = Text("Open it again")
ASK_AGAIN = Text("Ask again")
TO_LOBBY = Text("All games")
TO_TABLE = Text("Back to the table")
FOR_PROGRAMS = Text("For programs")
API = Text("Programs can play over HTTP and JSON, without a key. Every call is described in")
LANGUAGE = Text("Language")
THEME = Text("Colours")
THEMES = {
    "": Text("same as system"),
    "light": Text("light"),
    "dark": Text("dark"),
}

# the sealed envelope
VERIFIED = Text("Verified: every throw and draw of this game is the one that was sealed before it began.")
NOT_VERIFIED = Text("This record does not fit its envelope.")
STILL_SEALED = Text("The envelope is still sealed. It is opened when the game has ended, however it ends.")
NOT_PROVEN = Text("This was a practice game that began in the middle, so its luck is not sealed.")
SEAL = Text("The seal")
WORDS = Text("Words of the players")
NO_WORDS = Text("Nobody added any.")
SECRET = Text("The secret")
BY_YOURSELF = Text("Check it yourself")
HOW_TO_VERIFY = Text(
    "Download the record and check it on your own computer, with a program of your own or with ours:"
)

# the luck of the whole site
FAIRNESS = Text("Is the luck fair?")
FAIRNESS_TEXTS = (
    Text(
        "Before each game the server draws a secret, and shows its seal. Your words and the secret together "
        "decide every throw, so that nobody can choose one. After the game the envelope is opened, and anybody "
        "can work out all its throws again."
    ),
    Text(
        "That the seals are kept does not say that the secrets are drawn well. So all throws of all finished "
        "games are counted, and held against those of fair dice, coins and tiles."
    ),
)
ALL_THROWS = Text("All throws together")
SITE_THROWS = Text("{games} finished games with {throws} throws")
MEANING_OF_P = Text(
    "p is the chance that fair dice, coins and tiles are at least as far from the expected numbers. Fair luck "
    "has any p from 0 to 1, and one object in twenty has a p below 0.05. A p near 0 in all throws together would "
    "be a reason for doubt."
)
GAME_NAME = Text("Game")
THROWN_OBJECT = Text("Object, as records call it")
THROWS = Text("Throws")
OUTCOMES = Text("Outcomes")
UNTESTED_THROWS = Text("Not tested, because their objects were thrown too seldom: {n} throws.")
HOW_TO_VERIFY_SITE = Text(
    "Download the records of all finished games. They have no names. This command checks each of them and makes "
    "the same table:"
)
ALL_RECORDS = Text("All records")
NO_DUMP = Text(
    "This site has not published the records of its games yet. The record of your own game proves it."
)

# the review
OF_GAME = Text("{game}\u00a0· {what}")
REVIEWING = Text("The best bot is looking at every choice of this game.")
FIRST_FIGURES = Text("So far; this may still change")
CHOICE_OF = Text("Choice {n} of {total}")
HOW_FAR = Text("See how far it is")
COURSE = Text(
    "The odds of winning, from the first choice to the end. A dot marks a choice that gave some away."
)
ODDS_COURSE = Text("The course of the game")
BOARD_BEFORE = Text("The board before the choice")
TURNING_POINTS = Text("Turning points")
TRY_AGAIN_HERE = Text("Try again from here")
PLAYED_MOVE = Text("Played:")
BECAUSE = Text("After it, {reasons}.")
TIP = Text("Tip: {tip}")
TIP_BETTER = Text("Better at move {n}: {move} ({better} instead of {played}).")
TIP_SHOW = Text("Show it", "the board with a better move")
TIP_WELL_PLAYED = Text("Well played: the best bot found nothing to improve in your choices.")
GOOD_MOVE = Text("Played, and as good as any:")
CHOICE_BEFORE = Text("The choice before")
CHOICE_AFTER = Text("The next choice")
INSTEAD = Text("Better:")
ALL_CHOICES = Text("Every choice")
POINTS = Text("points")
ABOUT_REVIEW = Text(
    "These are estimates by the best bot, which searched at each choice. Differences of less "
    "than {points} points may be chance."
)
DAILY = Text("Deal of the day")
DAILY_OF = Text("Deals of {day}")
ABOUT_DAILY = Text(
    "Everyone gets the same deal, and the first attempt counts. Its luck stays sealed until the day closes."
)
CLOSES_IN = Text("Closes in {hours} h {minutes} min, at midnight UTC.")
STREAK = Plural("{n} day in a row", "{n} days in a row")
PLAYED_BY = Plural("Finished by {n} player.", "Finished by {n} players.")
PLACE_OF = Text("Place {place} of {n}.")
BETTER_THAN = Text("Better than {share} of the others.")
PAR = Text("The best bot:")
TOO_LATE = Text("This game does not count: it was not played to its end in time.")
PAIR = Text("Two games")
ABOUT_PAIR = Text(
    "You play one game from each side, each with luck of its own. Everyone meets the same bot and the "
    "same throws. Points count first, then the margins of both games."
)
AS_SIDE = Text("You as {side}:")
PAIR_RESULT = Text("{points} of {n} points, margin {margin}.")
MEETS_ALL = Text("Everyone played against {bot}.")
PLAY_SECOND = Text("Play the second game")
NO_PAIR = Text("These games do not count: they were not both played to their end in time.")
SHARE = Text("Share")
SHARE_TEXT = Text("Text to share")
SHARE_PICTURE = Text("A picture of your result, which says nothing of the luck")
SAVE_AS = Text("Save as {kind}")
COPY_TEXT = Text("Copy text")
SHARED = Text("{site} · {game} · deal of {day}")
PAST_DAYS = Text("Past days")
ABOUT_STANDINGS = Text(
    "The day has closed and its envelopes are open: look at every game, and practise the same deal."
)
PLACE = Text("Place", "in a ranking")
PLAYER_NAME = Text("Name of the player")
HOW_IT_ENDED = Text("How it ended")
SOMEBODY = Text("Guest")
TO_TODAY = Text("Today's deals")
SEALED_STILL_PLAYED = Text(
    "The envelope is sealed until this deal has closed, because others play the same luck."
)
IS_SEALED = Text("Until this deal has closed, nobody but you sees this game.")
DAILY_STRIP = Text("One deal a day, the same for everyone. How far can you get?")

SOUGHT = Text("Looking for a game now")
SOUGHT_BY = Plural("{n} person", "{n} people")
SEEK_TOO = Text("Join")

# tournaments
FIRST_PLACE = Text("First place: {who}")
TOURNAMENT = Text("Tournament")
TOURNAMENTS = Text("Tournaments")
TOURNAMENT_STRIP = Text("An evening for your club, or an arena against all comers.")
SEASON_NUMBER = Text("season {n}")
DIVISION = Text("Division {n}")
BESIDE_DIVISIONS = Text("In no division")
ENTER_NEXT_SEASON = Text("They play from the next season on, unless they have withdrawn.")
RISES = Text("rises", "to a higher division")
FALLS = Text("falls", "to a lower division")
WOULD_RISE = Text("would rise", "to a higher division")
WOULD_FALL = Text("would fall", "to a lower division")
PREVIOUS_SEASON = Text("Season before")
NEXT_SEASON = Text("Next season")
OWN_MATCHES = Text("Your matches")
PROVISIONAL_DIVISIONS = Text("These would be the divisions if the season began now.")
SEASON_WAITS = Text("You are entered. Your games will be listed here and all begin at once.")
SEASON_LATE = Text("You are entered for the next season. It opens when the last game of this one has ended.")
WITHDRAWING_FROM_SEASON = Text("If you withdraw, your games go on, but you are not in the next season.")
DUEL = Text("Solitaire duel")
ABOUT_DUEL = Text(
    "Solitaire duel: two people play the same deal, each at a table of their own, and the higher score wins. It begins "
    "at once, is for whoever comes first by its link, and closes when both have played, or when its time is over. "
    "Until then neither sees the game of the other."
)
DUPLICATE_PAIR = Text("Duplicate pair")
PAIR_SCORE = Text("{points} ({margin})")
CHALLENGE_TO_PAIR = Text("Play a pair with someone")
ABOUT_CHALLENGE_TO_PAIR = Text("Both of you get the same two new deals, not those of the day.")
DUEL_LINK = Text("Send the link to this page to someone: the first to enter plays against you.")
ROUND_LENGTH = Text("Time for each round, in a league or duel")
ROUND_CLOSES = Text("The round closes in {time}.")
DEAL_PLAYED = Text("{n} of {of} players finished the deal.")
PLAY_DEAL = Text("Play the deal")
DEAL_DONE = Text("You have played this deal.")
YOUR_GAME = Text("Your game")
LEAGUE_WAITS = Text("You take part. Each round opens here when its time has come.")
NOBODY_PLAYED = Text("Nobody has finished this deal.")
SCORE_NAME = Text("Score")
ABOUT_TOURNAMENT_RESULTS = Text(
    "A player who does not take the first turn in time loses. Players who have blocked each other do not meet: where "
    "everybody plays everybody, each gets half a point without a match. Games against bots are not rated."
)
OPEN_TOURNAMENT = Text("Open a tournament")
TOURNAMENT_NAME = Text("Name of the tournament")
TOURNAMENT_KIND = Text("Kind of tournament")
ROUNDS_OF_SWISS = Text("Rounds, in a Swiss or a league")
MINUTES_OF_ARENA = Text("Minutes, in an arena")
BEGINNING = Text("Beginning", "of a tournament")
IN_MINUTES = Text("in {n} min")
IN_HOURS = Text("in {n} h")
IN_DAYS = Text("in {n} d", "days")
FOR_EVERYBODY = Text("Open to everyone")
OPENED_BY_LINK = Text("Only people with its link find it. It is played if at least two have entered by then.")
TOURNAMENT_NEEDS_ACCOUNT = Text(
    "To enter or open a tournament you need an account: a name and a passkey or password."
)
PUBLIC_TOURNAMENTS = Text("For everybody")
YOUR_TOURNAMENTS = Text("Yours", "tournaments")
NO_TOURNAMENTS = Text("None at the moment.")
UNRATED = Text("Unrated")
BEGINS_IN = Text("Begins in {time}")
BEGINS_NOW = Text("Begins now")
TOURNAMENT_RUNS = Text("Under way")
TOURNAMENT_OVER = Text("Over")
TOURNAMENT_CANCELLED = Text("Did not begin: fewer than two had entered")
ENTER = Text("Enter", "a tournament")
COME_BACK = Text("Come back", "to a tournament")
WITHDRAW_FROM = Text("Withdraw", "from a tournament")
BEGIN_NOW = Text("Begin now")
YOUR_MATCH_WAITS = Text("Your match is in progress.")
TO_YOUR_MATCH = Text("To your match")
ENTERED_WAIT = Text("You take part. This page leads you to each of your matches.")
ENTER_BOTS = Text("Enter bots")
BOT_KIND = Text("Bot")
HOW_MANY = Text("How many")
STANDINGS = Text("Standings")
POINTS_SIGN = Text("Pts", "points, heading of a narrow column")
POINTS_NAME = Text("Points scored")
ABOUT_TIES = Text(
    "With as many points, these decide one after another; those who are equal in all share a place."
)
HAS_WITHDRAWN = Text("withdrawn", "from a tournament")
NOBODY_ENTERED = Text("Nobody has entered yet.")
PAIRINGS = Text("Pairings")
HAS_BYE = Text("has a bye")
WALKOVER = Text("without a match")
MATCH_GOES_ON = Text("in progress")
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
                "hint, but not against another person. The switch “Letter keys” turns these letters off."
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
