//! The texts of `--help` with their translations.

/// The texts in English and in Japanese.
#[rustfmt::skip]
pub(super) const TEXTS: &[(&str, &str)] = &[
    (
        "Analyze the branches, too",
        "変化も解析します",
    ),
    (
        "Write a page for a browser, and for each folder a page that lists its games",
        "ブラウザで見るページを書きます。フォルダには、対局の一覧のページも作ります",
    ),
    (
        "Tsumero, a shogi engine that speaks USI. Without a subcommand it waits for a GUI on standard input",
        "将棋の思考エンジン Tsumero。コマンドを付けずに起動すると、将棋 GUI からの USI コマンドを標準入力で待ちます",
    ),
    (
        "Print version, commit, instructions and evaluation",
        "バージョン、コミット、CPU の命令、評価関数を表示します",
    ),
    (
        "Print help",
        "使い方を表示します",
    ),
    (
        "Print help (see more with '--help')",
        "使い方を表示します",
    ),
    (
        "Print this message or the help of the given subcommand(s)",
        "この使い方、または指定したコマンドの使い方を表示します",
    ),
    (
        "Search a fixed list of positions; with one thread the node count is the signature of the search",
        "決まった局面を探索します。1 スレッドでのノード数は、どのパソコンでも同じです",
    ),
    (
        "Count the legal lines of a given length",
        "指定した手数の合法な手順が何通りあるかを数えます",
    ),
    (
        "List all legal moves of a position, sorted",
        "局面の合法手をすべて、並べ替えて表示します",
    ),
    (
        "Check whether moves are legal, and name the rule that an illegal move breaks",
        "指し手が合法かどうかを調べ、反則ならその理由を表示します",
    ),
    (
        "Find a mate in one for each position",
        "局面ごとに 1 手詰を探します",
    ),
    (
        "Find a forced mate for each position",
        "局面ごとに詰みを探します",
    ),
    (
        "Evaluate positions without a search",
        "局面を探索せずに評価します",
    ),
    (
        "Make mate problems, or check whether they are sound",
        "詰将棋を作ります。余詰や早詰も調べます",
    ),
    (
        "Read game files, and write them in other formats",
        "棋譜を読み、別の形式に変換します",
    ),
    (
        "Analyze the games of files: values, best lines, mistakes, missed mates",
        "棋譜を解析します（評価値、読み筋、悪手、逃した詰み）",
    ),
    (
        "Make opening books from games and analyses, and show their entries",
        "棋譜や解析から定跡を作ります。中身も表示します",
    ),
    (
        "Quantum shogi: count, list, converge, play",
        "量子将棋（合法手の数、合法手の一覧、駒の絞り込み、対局）",
    ),
    (
        "Print completions for a shell",
        "シェルの補完スクリプトを表示します",
    ),
    (
        "Print the manual page, or write the pages of all subcommands",
        "マニュアルを表示します。すべてのコマンドの分を書き出すこともできます",
    ),
    (
        "The shell",
        "シェル",
    ),
    (
        "Write the pages of all subcommands into this folder, instead of the first page to standard output",
        "すべてのコマンドのマニュアルを、このフォルダに書き出します",
    ),
    (
        "Game files (KIF, KI2, CSA, JKF, USI lines; `-` for standard input), or folders of them. In a folder, what this command has written is left out",
        "棋譜（KIF、KI2、CSA、JKF、USI。- は標準入力）、または棋譜のフォルダ。フォルダの中の、このコマンドが書いたファイルは除きます",
    ),
    (
        "Time for each position [default: 1000]",
        "1 局面に使う時間（ミリ秒）［既定値: 1000］",
    ),
    (
        "Nodes for each position; with one thread the result is the same in every run",
        "1 局面で調べるノード数。1 スレッドなら、いつも同じ結果になります",
    ),
    (
        "Depth for each position, in plies; with one thread the result is the same in every run",
        "1 局面で読む深さ（手数）。1 スレッドなら、いつも同じ結果になります",
    ),
    (
        "Search threads",
        "探索に使うスレッドの数",
    ),
    (
        "Number of best lines for each position",
        "1 局面の候補手の数",
    ),
    (
        "Size of the transposition table",
        "置換表の大きさ（メガバイト）",
    ),
    (
        "Resume an interrupted run. Without it, a new one begins, unless an interrupted one has left results",
        "中断した解析を続けます。付けないと最初から解析しますが、途中の結果が残っているときは始めません",
    ),
    (
        "Analyze only the game of this number in each file, counted from 1",
        "ファイルの中の、この番号の対局だけを解析します（1 から）",
    ),
    (
        "Analyze nothing: print a JSON line for each game, with its file, number and positions",
        "解析をせずに、対局ごとにファイル、番号、局面数を JSON で 1 行ずつ表示します",
    ),
    (
        "Language of the table, and first language of the page [default: that of the system]",
        "表の言語、ページを開いたときの言語［既定値: システムの言語］",
    ),
    (
        "Folder for the output files (default: beside the game file); `-` for JSON on standard output. Only files of earlier analyses are replaced",
        "結果を書くフォルダ（指定しなければ棋譜と同じ場所）。- は JSON を標準出力に書きます。上書きするのは、以前の解析の結果だけです",
    ),
    (
        "Write the game with comments from which ShogiHome and ShogiGUI draw the graph",
        "評価値と読み筋をコメントに入れた KIF を書きます。ShogiHome や ShogiGUI でグラフを見られます",
    ),
    (
        "Write the main line with values and lines in comments",
        "本譜に評価値と読み筋のコメントを付けた CSA を書きます",
    ),
    (
        "Write a JSON line for each position",
        "局面ごとに JSON を 1 行ずつ書きます",
    ),
    (
        "Write comma-separated values, with the names of columns in the language",
        "CSV を書きます。列の名前は --lang の言語です",
    ),
    (
        "Depth for each position, in plies",
        "1 局面で読む深さ（手数）",
    ),
    (
        "Nodes for each position",
        "1 局面で調べるノード数",
    ),
    (
        "Make a book from games and analyzed games",
        "棋譜や解析の結果から定跡を作ります",
    ),
    (
        "Print the entries of a position: `move ponder value depth count`, one move a line",
        "局面の定跡の手を 1 行ずつ表示します（指し手、予想した応手、評価値、深さ、回数）",
    ),
    (
        "Game files (KIF, KI2, CSA, JKF, USI lines), or JSON lines of `tsumero analyze` (`-` for standard input)",
        "棋譜（KIF、KI2、CSA、JKF、USI）、または tsumero analyze の JSON（- は標準入力）",
    ),
    (
        "The book to write (`-` for standard output). An existing one is replaced if this command has made it",
        "作る定跡ファイル（- は標準出力）。このコマンドで作ったファイルなら上書きします",
    ),
    (
        "Take the moves of each game up to this number",
        "対局ごとに、何手目までを入れるか",
    ),
    (
        "Leave out moves that were played less often and were not analyzed",
        "これより少ない回数しか指されず、解析もされていない手を除きます",
    ),
    (
        "Count positions with different move numbers as the same position, for the option `IgnoreBookPly`",
        "手数が違っても同じ局面とみなします（オプション IgnoreBookPly 用）",
    ),
    (
        "The book (`-` for standard input)",
        "定跡ファイル（- は標準入力）",
    ),
    (
        "The position: an SFEN or `startpos`, optionally followed by `moves ...`",
        "局面（SFEN または startpos。後ろに moves ... を付けられます）",
    ),
    (
        "Search the file instead of reading it, as the option `BookOnTheFly` does",
        "ファイルを読み込まずに、その中を探します（オプション BookOnTheFly と同じ）",
    ),
    (
        "Ignore the number of the move",
        "手数の違いを無視します",
    ),
    (
        "Do not look up the position with the board turned around",
        "先手と後手を入れ替えた局面を探しません",
    ),
    (
        "The position",
        "局面",
    ),
    (
        "One SFEN per line, or in the first column of a CSV (`-` for standard input). Lines that begin with `#` are skipped",
        "1 行に 1 つの SFEN、または 1 列目が SFEN の CSV（- は標準入力）。# で始まる行は飛ばします",
    ),
    (
        "The network: a file, `<internal>` for the program's own, `none` for the attack maps",
        "評価関数のファイル。<internal> は組み込みの評価関数、none は利きによる評価",
    ),
    (
        "Divisor of the network's last integer (default: the advice of its makers if it is known, otherwise 16)",
        "評価関数の出力を割る数（既定値: 作者の指定がわかればそれ、わからなければ 16）",
    ),
    (
        "How a network chooses one of its layer stacks where its file does not say it: `auto` or a rule such as `k3k3`, `hand64` or `progress8ek`",
        "ファイルに書かれていないとき、評価関数が層（layer stack）を選ぶ規則（auto、または k3k3、hand64、progress8ek など）",
    ),
    (
        "One position per line, or in the first column of a CSV (`-` for standard input): an SFEN, or `position ...`, `sfen ... moves ...`, `startpos moves ...` (lines that begin with `#` are skipped)",
        "1 行に 1 局面、または 1 列目が局面の CSV（- は標準入力）。SFEN、position ...、sfen ... moves ...、startpos moves ... の形で書きます（# で始まる行は飛ばします）",
    ),
    (
        "Largest number of nodes for each position",
        "1 局面で調べるノード数の上限",
    ),
    (
        "Longest time for each position",
        "1 局面に使う時間の上限（ミリ秒）",
    ),
    (
        "Memory for each position that is searched",
        "1 局面に使うメモリ（メガバイト）",
    ),
    (
        "How many positions are searched at the same time; if there are fewer, threads search together",
        "同時に調べる局面の数。局面が少ないときは、スレッドが協力して調べます",
    ),
    (
        "Also print the length without futile interpositions, and the cost of each position on standard error",
        "無駄合を除いた手数も表示し、局面ごとのノード数と時間を標準エラー出力に表示します",
    ),
    (
        "After a mate, list every other first move that mates, one a line: `also PLIES MOVE...`, or `also <=PLIES MOVE...` if it may be shorter, or `undecided WHY MOVE`",
        "詰みに続けて、ほかにも詰む初手があれば、すべて 1 行ずつ表示します（詰むかどうかわからない初手も）",
    ),
    (
        "Number of moves in each line",
        "手順の手数",
    ),
    (
        "Position to start from",
        "開始局面",
    ),
    (
        "Also print the count below each first move",
        "初手ごとの数も表示します",
    ),
    (
        "Make every last move instead of counting the last moves",
        "最後の手も、数えるだけでなく 1 手ずつ指します",
    ),
    (
        "Check counts: CSV rows name,sfen,depth,nodes (`-` for standard input)",
        "数を確かめます。CSV の行は name,sfen,depth,nodes（- は標準入力）",
    ),
    (
        "List all legal moves of positions, or check recorded games move by move",
        "局面の合法手をすべて表示します。棋譜を 1 手ずつ確かめることもできます",
    ),
    (
        "Replay events of one side, and print the kinds of its pieces after each event",
        "片方の駒に起きたことを再現し、そのたびに駒の種類の候補を表示します",
    ),
    (
        "Play games against itself and print them, one JSON line each",
        "自己対局をして、棋譜を 1 局 1 行の JSON で表示します",
    ),
    (
        "One position per line, or one game per line as `quantum play` prints them (`-` for standard input)",
        "1 行に 1 局面、または quantum play の棋譜を 1 行に 1 局（- は標準入力）",
    ),
    (
        "One JSON object per line: an id and events (`-` for standard input)",
        "1 行に 1 つの JSON。id と、起きたこと（- は標準入力）",
    ),
    (
        "Number of games",
        "対局の数",
    ),
    (
        "Seed of the random first moves",
        "最初の数手をランダムに選ぶ乱数の種",
    ),
    (
        "Time for a move in milliseconds",
        "1 手に使う時間（ミリ秒）",
    ),
    (
        "Game files: KIF, KI2, CSA, JKF or USI lines, recognized by their content (`-` for standard input)",
        "棋譜。KIF、KI2、CSA、JKF、USI を内容で見分けます（- は標準入力）",
    ),
    (
        "What to print: a JSON line for each game, or the games in another format",
        "表示する形式。対局ごとに 1 行の JSON、または別の棋譜形式",
    ),
    (
        "Make sound problems: one solution, no idle piece, the hand used up",
        "余詰のない詰将棋を作ります（不要駒がなく、持ち駒が余らないもの）",
    ),
    (
        "Check whether problems are sound, and name what is wrong",
        "詰将棋が完全作かどうかを調べ、余詰や早詰などを表示します",
    ),
    (
        "Length of the mates, an odd number up to 25",
        "詰みまでの手数（25 までの奇数）",
    ),
    (
        "Number of problems",
        "問題の数",
    ),
    (
        "Seed of the problems",
        "問題を作る乱数の種。同じ種からは同じ問題ができます",
    ),
    (
        "Leave out the first problems of the seed",
        "乱数の種からできる問題のうち、初めの何問を飛ばすか",
    ),
    (
        "How many problems are made at the same time",
        "同時に作る問題の数",
    ),
    (
        "Keep idle pieces, and allow pieces left in hand; the notes name them",
        "不要駒や駒余りも認めます（注記に書きます）",
    ),
    (
        "Largest number of nodes for each question in a judgment",
        "判定の中の 1 回の探索で調べるノード数の上限",
    ),
    (
        "Memory for each question; the tables of a judgment are small and many",
        "判定の中の 1 回の探索に使うメモリ（メガバイト）",
    ),
    (
        "How many problems are checked at the same time",
        "同時に調べる問題の数",
    ),
    (
        "Game format: kif, ki2, csa, jkf or usi (SFEN lines). For the files of --out (default: kif)",
        "棋譜の形式。kif、ki2、csa、jkf、usi（SFEN の行）。--out のファイルでは、指定しなければ kif です",
    ),
    (
        "Write each problem with its solution to a file of its own in this folder. Only files that this command has made are replaced",
        "問題と解答を、このフォルダに 1 問ずつファイルに書きます。上書きするのは、このコマンドで作ったファイルだけです",
    ),
    (
        "Write a page on which the problems are solved, or from which they are printed",
        "問題のページを書きます。印刷することも、画面で解くこともできます",
    ),
    (
        "Moves in USI notation, each judged in the position itself. The exit code is 0 for illegal moves, too",
        "USI の指し手。どれもこの局面で調べます。反則の手があっても終了コードは 0 です",
    ),
    (
        "One position per line, or in the first column of a CSV (`-` for standard input): an SFEN, or `position ...`, `sfen ... moves ...`, `startpos moves ...` (lines that begin with `#` are skipped); or a game file (KIF, BOD, KI2, CSA, JKF), whose problem is the first position, or the last one if it starts from the usual array. Each is answered as if it were alone",
        "1 行に 1 局面、または 1 列目が局面の CSV（- は標準入力）。SFEN、position ...、sfen ... moves ...、startpos moves ... の形で書きます（# で始まる行は飛ばします）。棋譜や局面図（KIF、BOD、KI2、CSA、JKF）も読みます。棋譜では最初の局面、平手で始まるときは最後の局面を解きます。ほかの局面の影響は受けません",
    ),
    (
        "One SFEN per line, or in the first column of a CSV whose second column, if it is not empty, is the length in plies (lines that begin with `#` are skipped); or a game file (KIF, BOD, KI2, CSA, JKF). The moves of a game, or those after an SFEN, are the solution (`-` for standard input)",
        "1 行に 1 つの SFEN、1 列目が SFEN で 2 列目が手数の CSV（# で始まる行は飛ばします）、または棋譜や局面図（KIF、BOD、KI2、CSA、JKF）。指し手は解答とみなします（- は標準入力）",
    ),
    (
        "Japanese",
        "日本語",
    ),
    (
        "English",
        "英語",
    ),
    (
        "Every second solution on every longest line",
        "本手順と、同じ手数の変化にあるすべての余詰",
    ),
    (
        "Second solutions on the main line. Forgiven are detours, promotion without difference, and drops from any distance. Futile interpositions are not counted",
        "本手順の余詰だけ。迂回手順、成不成非限定、打ち場所非限定は許し、無駄合は手数に数えません",
    ),
    (
        "A line for each game: first position, moves, ending, number of branches, headers",
        "1 局を 1 行の JSON（開始局面、指し手、終局、変化の数、棋譜情報）",
    ),
    (
        "Numbered moves with their origin squares",
        "手数と移動元の付いた指し手",
    ),
    (
        "Moves as in books",
        "本や新聞と同じ書き方の指し手",
    ),
    (
        "The format of the Computer Shogi Association",
        "コンピュータ将棋協会の形式",
    ),
    (
        "JSON Kifu Format, a line for each game",
        "JSON 棋譜フォーマット（1 局を 1 行）",
    ),
    (
        "A `position` line for each game",
        "1 局を 1 行の position コマンド",
    ),
    (
        "What counts against a problem",
        "何を余詰とするか",
    ),
    (
        "After each verdict, name every second solution by its move number, and apart from them choices of the last move, equal-length variations and futile interpositions",
        "判定のあとに、余詰をすべて何手目かとともに表示し、最終手余詰、変化同手数、無駄合を分けて表示します",
    ),
    (
        "Print a JSON line for each problem instead, the same with every --lang: whether it is sound, its length and solution, every second solution, and the other last moves",
        "問題ごとに JSON を 1 行ずつ表示します（完全作かどうか、手数、解答、余詰のすべて、ほかの最終手）。--lang によらず同じです",
    ),
    (
        "Kinds of pieces on the board beside kings, as SFEN writes Black's: GS+P are gold, silver and tokin [default: all]",
        "玉のほかに盤に置く駒の種類（SFEN の先手の駒。GS+P は金、銀、と金）［既定値: すべて］",
    ),
    (
        "Kinds of pieces in the attacker's hand [default: all]",
        "攻方の持ち駒の種類［既定値: すべて］",
    ),
    (
        "The part of the board where pieces stand at the start: files and ranks, for example 1-4,1-4",
        "最初に駒を置く範囲（筋と段。例: 1-4,1-4）",
    ),
    (
        "How many pieces stand on the board at the start, kings included: N, or LEAST-MOST",
        "最初に盤に置く駒の数。玉を含みます（N、または 最少-最多）",
    ),
    (
        "The attacker has a king, too",
        "攻方にも玉を置きます（双玉）",
    ),
    (
        "First language of the page [default: that of the system]. `check` also writes its verdicts in it, as with --verbose",
        "ページを開いたときの言語［既定値: システムの言語］。check では、判定も --verbose のように詳しく、この言語で表示します",
    ),
];
