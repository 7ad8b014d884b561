"""What can be refused, each with its code and what to say of it. A refusal changed nothing, but of `late` and
`closing`, which are said before it is known."""

from __future__ import annotations

from smallchange.text import Text

WHY = {
    "message": Text("This message cannot be read: {why}", "このメッセージは読めません: {why}"),
    "match": Text("There is no such table.", "そのテーブルはありません。"),
    "rules": Text(
        "This table follows version {was} of its rules, which this server does not play.",
        "このテーブルのルール(第{was}版)は、このサーバーでは遊べません。",
    ),
    "spectator": Text(
        "You are watching. Only those at the table can do this.", "観戦中です。操作できるのは対局者だけです。"
    ),
    "waiting": Text("The game begins when everybody has sat down.", "全員がそろうと始まります。"),
    "turn": Text("It is up to {who} to move.", "今は{who}の番です。"),
    "token": Text("“{token}” is not a move in this game.", "「{token}」はこのゲームの手ではありません。"),
    "illegal": Text(
        "“{token}” is not possible now. Possible: {legal}.",
        "「{token}」は今はできません。できる手: {legal}。",
    ),
    "marks": Text(
        "Nothing can be done with what is marked now. Mark what to use, then press the button.",
        "今の選び方ではできません。使うものを選んでから、ボタンを押してください。",
    ),
    "over": Text("The game is over.", "ゲームは終わりました。"),
    "withdrawn": Text(
        "This table was withdrawn, so there is no game.",
        "このテーブルは取り下げられたため、ゲームはありません。",
    ),
    "conflict": Text(
        "The table has moved on, so nothing was done. Here is how it stands now.",
        "先に局面が進んだため、何も行われませんでした。これが今の局面です。",
    ),
    "used": Text("This move id was used for something else.", "この手の番号は別の手に使われています。"),
    "undo": Text(
        "There is no decision of yours to take back, or chance has answered since.",
        "戻せる決定がないか、そのあとに運の結果が出ています。",
    ),
    "long": Text(
        "So much has happened at this table that nothing more can be taken back.",
        "このテーブルでは手数が多くなりすぎたため、もう戻せません。",
    ),
    "ask": Text("Against a person, ask to take a move back.", "相手が人のときは、待ったを頼んでください。"),
    "offer": Text("This cannot be offered now.", "今はその申し込みはできません。"),
    "answer": Text("There is no offer for you to answer.", "答える申し込みはありません。"),
    "hint": Text(
        "Hints are only available on your turn, and not against another person.",
        "ヒントは、自分の番に使えます。ほかの人との対戦では使えません。",
    ),
    "review": Text(
        "There is a review once the game is over, if it took {most} steps at most.",
        "振り返りは、ゲームが終わってからです({most}ステップまで)。",
    ),
    "thinking": Text(
        "Too much is being thought about at the moment. Ask again in a few seconds.",
        "今はボットの計算が混み合っています。数秒後にもう一度どうぞ。",
    ),
    "failed": Text(
        "The bot failed at this; nothing else has changed. Ask again.",
        "ボットの計算がうまくいきませんでした。ほかは何も変わっていません。もう一度お試しください。",
    ),
    "taken": Text("This seat is taken. You can watch.", "この席は埋まっています。観戦できます。"),
    "seats": Text("The seats cannot be set like that: {why}", "その席の指定はできません: {why}"),
    "options": Text("These options do not work: {why}", "この設定では始められません: {why}"),
    "again": Text("There can be a rematch once the game is over.", "再戦はゲームが終わってからです。"),
    "fork": Text(
        "Practice can branch off when a game is over, or from a game of your own.",
        "練習の分岐は、終わったゲームか自分ひとりのゲームからできます。",
    ),
    "step": Text(
        "Practice can go on here after step 0 to {last}, not after step {at}.",
        "ここから練習できるのはステップ0から{last}までのあとです(ステップ{at}は選べません)。",
    ),
    "forgery": Text(
        "This form was out of date, or came without this site’s cookie, so nothing was done.",
        "このフォームは期限切れか、このサイトのCookieが届かなかったため、何も行われませんでした。",
    ),
    "bearer": Text(
        "Send the token that you were given, as the header “Authorization: Bearer TOKEN”.",
        "渡されたトークンを「Authorization: Bearer トークン」というヘッダーで送ってください。",
    ),
    "origin": Text("This came from another site.", "別のサイトから送られました。"),
    "credits": Text("Too many messages; wait a few seconds.", "送信が多すぎます。数秒待ってください。"),
    "tables": Text(
        "Too many tables are being opened from this address; wait a few minutes.",
        "このアドレスから開かれるテーブルが多すぎます。数分待ってください。",
    ),
    "sockets": Text("Too many connections from this address.", "このアドレスからの接続が多すぎます。"),
    "followed": Text(
        "One connection follows at most 8 tables. Leave one first.",
        "1つの接続で追えるテーブルは8つまでです。先にどれかを離れてください。",
    ),
    "size": Text("This is too large.", "大きすぎます。"),
    "page": Text("There is no such page.", "そのページはありません。"),
    "call": Text(
        "There is no such call; /api/openapi.json lists them.",
        "その呼び出しはありません。/api/openapi.jsonに一覧があります。",
    ),
    "record": Text("This record is not valid: {why}", "この記録は正しくありません: {why}"),
    "busy": Text(
        "This could not be stored, so nothing was done. Try again in a moment.",
        "保存できなかったため、何も行われませんでした。しばらくしてからお試しください。",
    ),
    "late": Text(
        "The server cannot answer just now, and what was sent may be done or not. Try again in a moment; "
        "a step that is sent twice is taken once.",
        "サーバーは今、応答できません。送られたことが行われたかどうかは、まだ分かりません。しばらくしてからお試しください。"
        "同じ手を二度送っても、行われるのは一度だけです。",
    ),
    "closing": Text(
        "The server is stopping. Nothing is lost; the table comes back by itself.",
        "サーバーが停止します。失われるものはありません。テーブルは自動で戻ります。",
    ),
}
STATUS = {
    "match": 404,
    "page": 404,
    "call": 404,
    "conflict": 409,
    "used": 409,
    "taken": 409,
    "credits": 429,
    "tables": 429,
    "sockets": 429,
    "followed": 429,
    "bearer": 401,
    "spectator": 403,
    "forgery": 403,
    "origin": 403,
    "size": 413,
    "busy": 503,
    "late": 503,
    "thinking": 503,
    "failed": 503,
    "closing": 503,
    "rules": 410,
}


class Refused(Exception):
    """Something asked for was refused. `code` is one of WHY; `wait` are the seconds after which it may be
    asked again, where that is known, else 0."""

    def __init__(self, code: str, wait: int = 0, **parts: Text | str | int) -> None:
        super().__init__(code)
        self.code = code
        self.wait = wait
        self.text = WHY[code].fill(**parts)

    @property
    def status(self) -> int:
        """The HTTP status that says it."""
        return self.status_of(self.code)

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers that go with it."""
        if self.code == "bearer":
            return {"WWW-Authenticate": "Bearer"}
        return {"Retry-After": str(self.wait)} if self.wait else {}

    @staticmethod
    def status_of(code: str) -> int:
        return STATUS.get(code, 400)
