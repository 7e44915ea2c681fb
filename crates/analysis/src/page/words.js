// The words of the page in both languages.
const WORDS = {
  ja: {
    black: "先手", white: "後手", start: "開始局面", move: "手目", value: "評価値", even: "互角",
    winRate: "先手の勝率", mateIn: (side, plies) => `${side}勝ち（${plies}手詰）`, mated: (side) => `${side}勝ち（詰み）`,
    lines: "読み筋", graph: "形勢グラフ", byWin: "勝率", byValue: "評価値", accuracy: "正確さ", best: "最善手との一致率",
    notes: "悪手と転機", noNotes: "大きく損をした手はありません。", mates: "逃した詰み", moves: "棋譜",
    loss: (points) => `勝率 −${points}`, turns: "形勢逆転", bestWas: (move) => `最善は ${move}`, wasBest: "最善手",
    mateLine: (plies) => `${plies}手詰`, hint: "← → で移動、Home / End で最初と最後。盤はスワイプ、グラフは指でなぞれます。",
    theme: { auto: "自動", light: "明", dark: "暗" }, other: "English", inLine: "読み筋", inMate: "詰み手順",
    first: "最初へ", back: "一手戻る", forward: "一手進む", last: "最後へ", flip: "盤を反転",
    note: { inaccuracy: "緩手", dubious: "疑問手", mistake: "悪手", blunder: "大悪手", missed_mate: "詰み逃し" },
    ending: { resign: "投了", interrupted: "中断", repetition: "千日手", mate: "詰み", no_mate: "不詰", impasse: "持将棋", draw: "引き分け", declaration: "入玉宣言", timeout: "時間切れ", foul_loss: "反則負け", foul_win: "反則勝ち", max_moves: "最大手数", default_win: "不戦勝", default_loss: "不戦敗", matta: "待った", error: "エラー" },
    footer: "Tsumero による解析。評価値は先手から見た値、勝率は評価値から計算したものです。正確さは各手の勝率の損失から計算しています。",
  },
  en: {
    black: "Black", white: "White", start: "start", move: "", value: "value", even: "even",
    winRate: "Black wins", mateIn: (side, plies) => `${side} mates in ${plies}`, mated: (side) => `${side} has mated`,
    lines: "Best lines", graph: "Evaluation", byWin: "win rate", byValue: "value", accuracy: "accuracy", best: "first choices",
    notes: "Mistakes and turning points", noNotes: "No move lost much.", mates: "Missed mates", moves: "Moves",
    loss: (points) => `win rate −${points}`, turns: "the game turns", bestWas: (move) => `best was ${move}`, wasBest: "best move",
    mateLine: (plies) => `mate in ${plies}`, hint: "← → to step, Home / End for both ends. Swipe over the board, drag over the graph.",
    theme: { auto: "auto", light: "light", dark: "dark" }, other: "日本語", inLine: "line", inMate: "mate",
    first: "to the start", back: "one move back", forward: "one move on", last: "to the end", flip: "turn the board",
    note: { inaccuracy: "inaccuracy", dubious: "dubious", mistake: "mistake", blunder: "blunder", missed_mate: "missed mate" },
    ending: { resign: "resigns", interrupted: "broken off", repetition: "repetition", mate: "mate", no_mate: "no mate", impasse: "impasse", draw: "draw", declaration: "declares a win", timeout: "out of time", foul_loss: "loses by a foul", foul_win: "wins by a foul", max_moves: "largest number of moves", default_win: "wins by default", default_loss: "loses by default", matta: "move taken back", error: "error" },
    footer: "Analysis by Tsumero. Values are from Black's side; win rates follow from them. Accuracy follows from the win rate that each move lost.",
  },
};
