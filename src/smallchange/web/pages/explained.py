"""What the pages explain at length, in English and Japanese."""

from smallchange.text import Text

ENVELOPE_EXPLAINED = (
    Text(
        "Before the first step the server drew a secret number, put it into an envelope, and showed only the "
        "seal: a fingerprint that fits this secret and no other.",
        "最初の一手の前に、サーバーは秘密の数を引いて封筒に入れ、封印だけを見せました。"
        "封印は、その秘密だけに合う指紋です。",
    ),
    Text(
        "Whoever sat down could add words of their own, which are mixed into the secret. Nobody could change "
        "the luck after the first step. Where somebody who sat down after the seal was shown added words, "
        "nobody, the server included, could choose it beforehand either.",
        "席に着いた人は、自分の言葉を加えられました。言葉は秘密と混ぜられます。最初の一手のあとでは、"
        "だれも運を変えられません。封印が見せられたあとに席に着いた人が言葉を加えていれば、"
        "サーバーを含めて、だれも前もって運を選べません。",
    ),
    Text(
        "Every throw and draw follows from the two. When the game has ended the envelope is opened, and "
        "anybody can check that the secret fits the seal, and that it gives exactly these throws.",
        "出目と引くものは、すべてその二つから決まります。ゲームが終わると封筒が開き、"
        "秘密が封印に合うこと、そして出目がそのとおりであることを、だれでも確かめられます。",
    ),
)

ABOUT_TEXTS = (
    (
        None,
        (
            Text(
                "Games that need little more than coins, tiles and dice: to play alone, at one screen, "
                "against a bot, or with a friend through a link. No account is needed, and there is "
                "nothing to buy.",
                "コインとタイルとサイコロだけで遊べるゲームです。ひとりで、ひとつの画面で、ボットと、"
                "リンクを送って友だちと遊べます。登録は不要で、料金もかかりません。",
            ),
        ),
    ),
    (
        Text("Playing", "遊び方"),
        (
            Text(
                "What you can touch has a ring. Click or tap, or drag a piece where it goes. With a "
                "keyboard, Tab and the arrow keys move over what can be touched, Enter touches it and Escape "
                "lets go; U takes back; ? opens the rules beside the board at the right place; H asks for a "
                "hint, but not against another person. The switch “Letter keys” turns these letters off.",
                "操作できるものには枠がついています。クリックやタップ、またはドラッグで動かします。"
                "キーボードではTabと矢印キーで移り、Enterで触れ、"
                "Escapeで選び直し、Uで戻し、?で今の場面のルールを盤の横に開きます。"
                "ほかの人との対戦でなければ、Hでヒントを出せます。「文字キー」を切ると、これらの文字は働きません。",
            ),
            Text(
                "With the log, or with the left and right arrow keys while the focus is not on the board, "
                "you can step through the whole game; new moves do not pull you away.",
                "「これまで」の一覧で(盤を選んでいないときは左右の矢印キーでも)、ゲーム全体をたどれます。"
                "新しい手が来ても引き戻されません。",
            ),
        ),
    ),
    (
        Text("Luck", "運"),
        (
            Text(
                "The server decides all luck: dice, tosses and draws. It seals the secret behind them in an "
                "envelope before the first step and opens it after the last, so that anybody can verify "
                "every one of them.",
                "サイコロの目も、コインの裏表も、引くものも、すべてサーバーが決めます。最初の一手の前に秘密を封筒に入れ、"
                "終わってから開くので、どの結果もだれでも確かめられます。",
            ),
        ),
    ),
    (
        Text("What is kept", "保存するもの"),
        (
            Text(
                "A cookie holds your seats and your choice of language, colours, sound and keys. The server "
                "keeps the games and the names typed for them, and nothing else about you.",
                "席と、言語・配色・音・キーの設定をCookieに保存します。"
                "サーバーが残すのはゲームと、入力された名前だけです。",
            ),
        ),
    ),
)
