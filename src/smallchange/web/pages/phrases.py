"""What the pages say, each phrase once, in English and Japanese."""

from smallchange.text import Text

NAME = Text("Small Change", "スモールチェンジ")
SKIP = Text("Skip to main content", "本文へ移動")
SITE = Text("Site", "サイト")

# the lobby
HEADLINE = Text("{n} games of coins, tiles and dice", "コインとタイルとサイコロの{n}つのゲーム")
COUNTS = [
    Text(word, str(n))
    for n, word in enumerate(("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"))
]
INTRO = Text(
    "Play alone, against a bot, or send a friend a link.",
    "ひとりでも、ボットとも、リンクを送って友だちとも遊べます。",
)
PLAYERS = Text("Players", "人数")
MINUTES = Text("Minutes", "時間(分)")
DIFFICULTY = Text("Difficulty", "難しさ")
GENTLE = Text("Gentle", "やさしい")
MEDIUM = Text("Medium", "ふつう")
HARD = Text("Hard", "むずかしい")
MEASURED = Text(
    "A simple player won {won}\u00a0% of {n} games.", "単純なプレイヤーは{n}回のうち{won}%で勝ちました。"
)
BETTER = Text(
    "Of {n} games of a simple player, {share}\u00a0% went better.",
    "単純なプレイヤーの{n}回のうち、{share}%がこれより良い結果でした。",
)
AS_WELL = Text(
    "Of {n} games of a simple player, none went better, and {share}\u00a0% as well.",
    "単純なプレイヤーの{n}回のうち、これより良い結果はなく、{share}%が同じ結果でした。",
)
BEST_MEASURED = Text("The best bot won {won}\u00a0% of {n}.", "いちばん強いボットは{n}回のうち{won}%です。")
MEETS = Text("You play against {bot}.", "{bot}と対戦します。")
MEETS_MEASURED = Text(
    "You play against {bot}, which scores {share}\u00a0% in {n} games against {other}.",
    "{other}との{n}局で得点率{share}%の、{bot}と対戦します。",
)
LEVELS = Text("There are {n} levels of bots under Options.", "設定で{n}段階のボットを選べます。")
BOTS = Text("{n} levels of bots", "{n}段階のボット")
PLAY = Text("Play", "遊ぶ")
WITH_A_FRIEND = Text("Invite", "招待")
PLAY_WITH_A_FRIEND = Text("Invite a friend to {game}", "{game}に友だちを招待")
PLAY_THIS = Text("Play {game}", "{game}を遊ぶ")
OPTIONS = Text("Options", "設定")
OPTIONS_OF = Text("Options of {game}", "{game}の設定")
RULES = Text("Rules", "ルール")
RULES_OF = Text("Rules of {game}", "{game}のルール")
OPEN_TABLES = Text("Open tables", "募集中のテーブル")
NONE_OPEN = Text(
    "Nobody is waiting at the moment. Open a table of your own and list it here.",
    "今は募集がありません。自分でテーブルを開いて、ここに載せることができます。",
)
YOUR_GAMES = Text("Your games", "自分のゲーム")
AGAINST = Text("you are {yours}, against {who}", "あなたは{yours}、相手は{who}")
AT_ONE_SCREEN = Text("both sides at one screen", "1台の画面でふたり")
IN_PRACTICE = Text("practice", "練習")
DAY = Text("{day} {month} {year}", "{year}年{n}月{day}日")
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
MORE_GAMES = Text("Earlier games", "以前のゲーム")
NEWER_GAMES = Text("Newer games", "より新しいゲーム")
NO_GAMES = Text("You have not played here yet.", "まだここで遊んでいません。")
RUNNING = Text("Running", "プレイ中")
FINISHED = Text("Finished", "終わったゲーム")
RESULTS = Text("Results", "戦績")
AGAINST_WHOM = Text("against {who}", "{who}と対戦")
PEOPLE = Text("people", "人")
CALLED = Text("{name}", "{name}さん")
WON_OF = Text("{won} of {n} won", "{n}回中{won}回勝ち")
WON_OF_TWO = Text("{won} won, {drawn} drawn, {lost} lost", "{won}勝{drawn}分{lost}敗")
UNCOUNTED = Text(
    "Practice and games in which you play both sides do not count.",
    "練習と、両方の席をひとりで受け持ったゲームは数えません。",
)
SIT_DOWN = Text("Sit down", "席に着く")
GO_ON = Text("Continue", "続ける")
LOOK_AT = Text("View", "見る")
ABOUT = Text("About", "案内")
NEW_GAME = Text("New game", "新しいゲーム")
CLOSE_UP = Text("{game}, seen from above", "上から見た{game}")

# a new table
WHO_PLAYS = Text("Who plays", "対局者")
ME = Text("me", "自分")
STRENGTHS = Text(
    "Strengths were measured on the base game, with 95 % intervals; a draw is half a point.",
    "強さは基本ゲームでの測定値(範囲は95%信頼区間、引き分けは0.5点)です。",
)
THE_BOTS = Text("What the bots are", "ボットについて")
BOT = Text("{title}: {strength}", "{title}: {strength}")
OPEN_SEAT = Text("a friend, by a link", "リンクで招く友だち")
YOUR_NAME = Text("Your name, if you like", "名前(任意)")
YOUR_WORDS = Text("Words of your own to mix into the luck, if you like", "運に混ぜる言葉(任意)")
ABOUT_WORDS = Text(
    "They are mixed into the luck of this game. Where you leave them out, your browser adds random ones.",
    "このゲームの運に混ざります。空欄なら、ブラウザがランダムな文字を加えます。",
)
SEALED_ALREADY = Text(
    "The secret of its luck is in the envelope already, and this is its seal. What you add now, nobody could "
    "foresee.",
    "運の秘密はもう封筒の中にあり、これがその封印です。今あなたが加える言葉は、だれにも予想できません。",
)
SEALED_LUCK = Text("The sealed luck", "封印された運")
LIST_IT = Text("List this table in the lobby while a seat is free", "席が空いている間、ロビーに載せる")
FAULT = Text("{option}: {why}.", "{option}: {why}。")
FAULT_HERE = Text("{why}.", "{why}。")
FROM_TO = Text("{low} to {high}", "{low}〜{high}")
OWN_DRAWING = Text("a drawing of your own", "自分で描いた図")
BY_HAND = Text("drawn by hand", "自作の図")
DRAWING_HELP = Text(
    "Leave it empty to use the choice above. A drawing is checked as you write.",
    "空のままなら上の選択を使います。入力中に確認されます。",
)
SHOW_PICTURE = Text("Show the picture", "図を見る")
PICTURE = Text("How it begins", "開始時の盤面")
EXAMPLE = Text("One way it may begin", "開始時の盤面の一例")
HOW_HARD = Text("How hard is it?", "難しさを測る")
BEING_PLAYED = Text("Simple players are trying it.", "単純なプレイヤーが試しています。")
SIMPLE = Text("a simple player", "単純なプレイヤー"), Text("two simple players", "単純なプレイヤー同士")
BEST = Text("the best bot", "いちばん強いボット"), Text("two of the best bots", "いちばん強いボット同士")
WON = Text(
    "{who} won {share}\u00a0% of {n} games (95\u00a0% interval {low} to {high}).",
    "{who}は{n}回のうち{share}%で勝ちました(95%信頼区間{low}〜{high}%)。",
)
WON_EACH = Text(
    "Between {who}, {first} won {share}\u00a0% of {n} games (95\u00a0% interval {low} to {high}) "
    "and {second} {other}\u00a0%.",
    "{who}の{n}局のうち、{first}の勝ちは{share}%(95%信頼区間{low}〜{high}%)、{second}の勝ちは{other}%でした。",
)
REST_DRAWN = Text("The rest were draws.", "残りは引き分けです。")
THE_BASE = Text("Chosen: the base game, as in the rulebook.", "選択中: ルールどおりの基本ゲーム。")
MORE_OPTIONS = Text("Variants", "変則ルール")

# the table
BOARD = Text("Board", "盤")
TRAYS = Text("Beside the board", "盤の横")
MOVE = Text("move {n}", "{n}手目")
YOU_ARE = Text("You are {yours}", "あなたは{yours}")
YOU_ARE_BOTH = Text("You play both sides", "両方とも自分")
YOUR_TURN = Text("Your turn", "あなたの番")
AN_OFFER = Text("An offer", "申し出")
OVER = Text("Game over", "ゲーム終了")
THEIR_TURN = Text("{who} to move", "{who}の番")
WATCHING = Text("You are watching.", "観戦中です。")
LOOKING_BACK = Text("Looking back at step {at} of {n}.", "ステップ{at}/{n}を見返しています。")
NOW = Text("Back to now", "今の局面に戻る")
NOT_HERE = Text("Nothing can be done there now.", "そこでは今、何もできません。")
RINGS = Text("Rings show what you can touch.", "操作できるものには枠がついています。")
NOT_THERE = Text("Rings show where it can go.", "行き先には枠がついています。")
CHOOSE_WHERE = Text("{what}, {place}: choose where", "{what}、{place}: 行き先を選ぶ")
CHOOSE = Text("{said}. Choose where", "{said}。行き先を選ぶ")
CHOSEN = Text("{what}, {place}: chosen. Choose where, or touch again to let go", "{what}、{place}: 選択中")
TO_MARK = Text("Mark what to use", "使うものを選ぶ")
DO_MARKED = Text("Do it with those marked", "選んだもので決める")
NOT_THESE = Text("Not possible with these", "この組み合わせではできません")
EVERY_MOVE = Text("All moves ({n})", "できる手({n})")
IF_TOUCHED = Text("Touch the ring:", "枠に触れると:")
LET_GO = Text("Choose something else", "選び直す")
DICE = Text("Dice", "サイコロ")
SO_FAR = Text("So far", "これまで")
FIRST = Text("First", "最初")
BACK = Text("Back", "一つ前")
FORWARD = Text("Forward", "一つ先")
LAST = Text("Now", "今")
UNDO = Text("Undo", "戻す")
HINT = Text("Hint", "ヒント")
HINT_COMING = Text("The best bot is thinking about it.", "いちばん強いボットが考えています。")
OFFER = {"draw": Text("Offer a draw", "引き分けを申し込む"), "undo": Text("Ask to take back", "待ったを頼む")}
WITHDRAW_OFFER = Text("Withdraw the offer", "申し出を取り下げる")
AGREE = Text("Agree on a draw", "引き分けにする")
ACCEPT = Text("Accept", "受ける")
DECLINE = Text("Decline", "断る")
RESIGN = Text("Resign", "投了")
RESIGN_ALONE = Text("Give up", "やめる")
SURE = Text("Yes, end this game", "はい、終わりにします")
WITHDRAW = Text("Withdraw this table", "このテーブルを取り下げる")
PRACTICE_HERE = Text("Practise from here", "ここから練習する")
ONCE_MORE = Text("Practice: a game once more from its start.", "練習: 元のゲームを最初からもう一度。")
PRACTICE = Text("Practice: branched off from another game.", "練習: 別のゲームから分岐しました。")
THAT_GAME = Text("See that game", "元のゲームを見る")
INVITE = Text(
    "Send this link to the person you want to play with. The first to accept it takes the seat.",
    "対局したい人にこのリンクを送ってください。最初に参加した人が席に着きます。",
)
THIS_COMPUTER = Text(
    "This link works on this computer only.", "このリンクはこのコンピューターでしか開けません。"
)
FOR_OTHERS = Text(
    "To let others in, open this page at this computer’s network address. For that, start the server with",
    "ほかの人を招くには、ネットワーク内のアドレスでこのページを開いてください。サーバーの起動方法:",
)
INVITE_LINK = Text("Invitation link", "招待リンク")
COPY = Text("Copy the link", "リンクをコピー")
COPIED = Text("Copied", "コピーしました")
MORE = Text("More", "その他")
TO_DO = Text("What to do", "すること")
AT_THE_TABLE = Text("At the table", "対局者")
YOU = Text("you", "あなた")
NOBODY_YET = Text("not here yet", "まだいません")
A_PERSON = Text("a guest", "ゲスト")
SOUND = Text("Sound", "音")
LETTERS = Text("Letter keys", "文字キー")
OFFLINE = Text(
    "No connection. The board stays as it is; trying again.",
    "接続が切れました。盤はそのままで、再接続しています。",
)
BACK_ONLINE = Text("Connected again.", "再び接続しました。")
TAKEN_BACK = Text("Taken back.", "手が戻されました。")
MOVED_ON = Text("The game has moved on meanwhile.", "その間に局面が進みました。")
OPEN_APART = Text("As a page of its own", "別のページで開く")
SHUT = Text("Close", "閉じる")

# the end
YOU_WON = Text("You won.", "あなたの勝ちです。")
NOT_BEGUN = Text("No game was played.", "ゲームは行われませんでした。")
YOU_LOST = Text("You lost.", "あなたの負けです。")
DRAWN = Text("A draw.", "引き分けです。")
SCORES = Text("Scores", "得点")
AGAIN = Text("Play again", "もう一度")
AGAIN_SWAPPED = Text("Rematch, seats swapped", "席を替えて再戦")
SAME_DEAL = Text("Same deal again", "同じ出目でもう一度")
REMATCH = Text("The rematch is open: go there", "再戦のテーブルへ")
REPLAY = Text("Look back", "見返す")
ENVELOPE = Text("Verify the luck", "運を確かめる")
RECORD = Text("Record", "記録")
SEALED = Text("The sealed envelope of luck", "封印された運の封筒")
REVIEW = Text("Odds and luck", "勝率と運")
REVIEW_WITHOUT_LUCK = Text("Odds and best moves", "勝率と最善手")

# other pages
JOIN = Text("You are invited to a game of {game}.", "{game}に招待されています。")
INVITATION = Text("Invitation to {game}", "{game}への招待")
ABOUT_MINUTES = Text("It takes about {n} minutes.", "{n}分ほどで終わります。")
INVITED_BY = Text("{who} plays {theirs}. Your seat: {yours}.", "{who}は{theirs}、あなたの席は{yours}です。")
BASE_GAME = Text("This is the base game, as in its rulebook.", "ルールどおりの基本ゲームです。")
VARIANTS = Text("Variants: {options}.", "変則ルール: {options}。")
OPTION = Text("{name} ({value})", "{name}({value})")
WITHOUT = Text("no", "なし")
TAKE_SEAT = Text("Take the seat", "席に着く")
WATCH = Text("Just watch", "観戦だけする")
KEPT = Text("The match is over, and its record is kept.", "ゲームは終わっており、記録は残っています。")
WRONG = Text("That did not work", "できませんでした")
ANEW = Text("Open it anew", "開き直す")
ASK_AGAIN = Text("Ask again", "もう一度頼む")
TO_LOBBY = Text("All games", "ゲーム一覧へ")
TO_TABLE = Text("Back to the table", "テーブルに戻る")
FOR_PROGRAMS = Text("For programs", "プログラムから")
API = Text(
    "Programs can play over HTTP and JSON, without a key. Every call is described in",
    "プログラムはHTTPとJSONで遊べます。鍵は不要です。すべての呼び出しの説明:",
)
LANGUAGE = Text("Language", "言語")
THEME = Text("Colours", "配色")
THEMES = {
    "": Text("same as system", "端末に合わせる"),
    "light": Text("light", "ライト"),
    "dark": Text("dark", "ダーク"),
}

# the sealed envelope
VERIFIED = Text(
    "Verified: every throw and draw of this game is the one that was sealed before it began.",
    "確認しました。このゲームの出目と引いたものは、すべて始まる前に封印されたとおりです。",
)
NOT_VERIFIED = Text("This record does not fit its envelope.", "この記録は封筒の中身と合いません。")
STILL_SEALED = Text(
    "The envelope is still sealed. It is opened when the game has ended, however it ends.",
    "封筒はまだ閉じています。どのような終わり方でも、ゲームが終わると開きます。",
)
NOT_PROVEN = Text(
    "This was a practice game that began in the middle, so its luck is not sealed.",
    "これは途中から始めた練習なので、運は封筒で証明されません。",
)
SEAL = Text("The seal", "封印")
WORDS = Text("Words of the players", "対局者の言葉")
NO_WORDS = Text("Nobody added any.", "だれも加えませんでした。")
SECRET = Text("The secret", "秘密")
BY_YOURSELF = Text("Check it by yourself", "自分で確かめる")
HOW_TO_VERIFY = Text(
    "Download the record, and let a program of your own, or ours on your own computer, check it:",
    "記録をダウンロードし、自分のプログラムか、手元のコンピューターの本ソフトで確かめてください。",
)

# the review
OF_GAME = Text("{game}\u00a0· {what}", "{game}の{what}")
REVIEWING = Text(
    "The best bot is looking at every choice of this game.",
    "いちばん強いボットが、すべての選択を見ています。",
)
CHOICE_OF = Text("Choice {n} of {total}", "選択 {n}/{total}")
HOW_FAR = Text("See how far it is", "進み具合を見る")
COURSE = Text(
    "The odds of winning from the first choice to the end. A dot is a choice that gave some of them away.",
    "最初の選択から終わりまでの勝率。丸い印は、勝率を失った選択です。",
)
BETTER_MOVES = Text("What would have been better", "もっと良かった手")
INSTEAD = Text("Better:", "より良い手:")
ALL_CHOICES = Text("Every choice", "すべての選択")
POINTS = Text("points", "点")
ABOUT_REVIEW = Text(
    "These are estimates of the best bot, which searched at each choice. Differences of less than "
    "{points} points are within their noise.",
    "いちばん強いボットが、選択ごとに探索した見積もりです。{points}点未満の差は誤差のうちです。",
)
HOW_IT_SEARCHED = Text("How the bot searches", "ボットの探索方法")
