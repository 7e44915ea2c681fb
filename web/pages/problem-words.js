// The words of the page of mate problems.
import { addWords } from "../words.js";

addWords({
    print: ["印刷", "Print"],
    "theme-auto": ["配色: 自動", "Theme: auto"],
    "theme-light": ["配色: 明", "Theme: light"],
    "theme-dark": ["配色: 暗", "Theme: dark"],
    problemCount: ["詰将棋 {0}問", "{0} mate problems"],
    problemNumber: ["第{0}問", "Problem {0}"],
    lengthOf: ["{0}手詰", "mate in {0}"],
    subtitleOf: ["駒を押すか、ドラッグして動かします。玉方は最善に応じ、詰むと証明できた手はどれも正解です。", "Tap or drag pieces. The defense plays its best, and every proven mate counts."],
    problems: ["問題", "Problems"],
    solvedCount: ["{0}問中{1}問を解きました", "{1} of {0} solved"],
    nextOne: ["次の問題", "Next problem"],
    previousOne: ["前の問題", "Previous problem"],
    shuffled: ["順番: ランダム", "Order: random"],
    inOrder: ["順番: 番号順", "Order: by number"],
    forget: ["印を消す", "Clear marks"],
    answers: ["解答", "Solutions"],
    footer: ["Tsumero による作成・検討。印はこの端末にだけ残ります。", "Made and checked by Tsumero. The marks stay on this device."],
});
