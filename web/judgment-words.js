// The words of judgments on the moves of a game.
import { addWords } from "./words.js";

addWords({
    mistakes: ["悪手", "Mistakes"],
    matedBy: ["{0}勝ち（詰み）", "{0} has mated"],
    matesIn: ["{0}勝ち（{1}手詰）", "{0} mates in {1}"],
    declaresWin: ["{0}の宣言勝ち", "{0} wins by declaration"],
    accuracy: ["正確さ", "accuracy"],
    bestRate: ["最善手との一致率", "first choices"],
    noNotes: ["大きく損をした手はありません。", "No move lost much."],
    loss: ["勝率 −{0} ポイント", "win rate −{0} points"],
    turns: ["形勢逆転", "the game turns"],
    wasBest: ["最善手", "best move"],
    bestBefore: ["最善の手順", "Best was"],
    bestMove: ["最善は {0}", "best was {0}"],
    happened: ["実戦の手順", "Played"],
    believedLost: ["負けに見えて詰みあり", "a mate in a position believed lost"],
    rough: ["探索量が少ないので、判定は目安です。", "The analysis was shallow: its notes are only a hint."],
    style: ["戦法", "style"],
    castle: ["囲い", "castle"],
    missedLine: ["逃した詰み", "Missed mate"],
    inaccuracy: ["緩手", "inaccuracy"],
    dubious: ["疑問手", "dubious"],
    mistake: ["悪手", "mistake"],
    blunder: ["大悪手", "blunder"],
    missed_mate: ["詰み逃し", "missed mate"],
});
