//! The patterns of castles and openings: what has to stand where.
//!
//! A pattern is a list of conditions, all of which must hold. Squares are seen from the player whose
//! castle or opening it is: 28 is where the rook of that player starts.
//!
//! | condition | holds if |
//! |---|---|
//! | `K28` | the player's king stands on 28; a small letter is a piece of the opponent |
//! | `K28/K38` | one of them holds |
//! | `!P66` | it does not hold |
//! | `P2x` | there is none of these pieces on the file |
//! | `B*` | it is in hand |
//!
//! Names and shapes are those of common use. They follow the articles on castles (囲い), openings
//! (将棋の戦法一覧) and on each of them in the Japanese Wikipedia, 将棋囲い事典100+ (Mynavi 2020), and the
//! names of the server 将棋ウォーズ. Where these differ about pieces that a shape may do without,
//! the pattern has only the pieces that all of them draw.

use tsumero_core::Color;

use super::{Kind, Shape};

const fn shape(japanese: &'static str, english: &'static str, pattern: &'static str) -> Shape {
    style(Kind::Castle, japanese, english, pattern)
}

const fn style(
    kind: Kind,
    japanese: &'static str,
    english: &'static str,
    pattern: &'static str,
) -> Shape {
    Shape { japanese, english, pattern, kind, only: None }
}

/// What only White plays, who moves second in an even game.
const fn of_white(shape: Shape) -> Shape {
    Shape { only: Some(Color::White), ..shape }
}

/// Castles. The first one whose pattern holds gives the name, so a castle with more pieces comes
/// before one with fewer.
#[rustfmt::skip]
pub(super) static CASTLES: [Shape; 48] = [
    // 矢倉 and its relatives
    shape("総矢倉", "Full Yagura", "K88/K79 G78 S77 G67 S57"),
    shape("菱矢倉", "Diamond Yagura", "K88/K79 G78 S77 G67 S66"),
    shape("矢倉穴熊", "Yagura Anaguma", "K99 L98 G78/G88 S77 G67"),
    shape("矢倉", "Yagura", "K88/K79 G78 S77 G67"),
    shape("銀矢倉", "Silver Yagura", "K88/K79 G78 S77 S67"),
    shape("銀立ち矢倉", "Raised Silver Yagura", "K88 G78 S76 G67"),
    shape("片矢倉", "Half Yagura", "K78 G68 S77 G67"),
    shape("土居矢倉", "Doi Yagura", "K78 S77 G67 G58"),
    shape("菊水矢倉", "Kikusui Yagura", "K89 G78 S88 N77 G67"),
    shape("ボナンザ囲い", "Bonanza castle", "K78 S77 G68 G58"),
    shape("カニ囲い", "Crab castle", "K69 G78 S68 G58"),
    // 右玉 may have the silvers of 雁木. With a central rook, they are those of ツノ銀中飛車.
    shape("右玉", "Right King", "K38/K48 S47 N37 R29"),
    shape("雁木", "Snow Roof", "K69/K59/K68/K49/K48 G78 S67 S57/S47 !R58/R59"),
    // The king in the middle or on the side of the rook
    shape("中住まい", "Central House", "K58 G78 G38/S48"),
    shape("中原囲い", "Nakahara castle", "K69 G78 G59 S48"),
    shape("無敵囲い", "Invincible castle", "K59 G69 G49 S68 S48 R58"),
    // Against a ranging rook
    shape("箱入り娘", "Daughter in a Box", "K78 G69 G68 S79"),
    shape("エルモ囲い", "Elmo castle", "K78 S68 G79"),
    shape("舟囲い", "Boat castle", "K78 G69 G58 S79/S68"),
    shape("天守閣美濃", "Keep Mino", "K87 S78 G69"),
    shape("左美濃", "Left Mino", "K88/K79 S78 G69"),
    shape("ミレニアム", "Millennium castle", "K89 N77 S88 G79"),
    shape("米長玉", "Yonenaga King", "K98 L99 S87 G78"),
    shape("串カツ囲い", "Kushikatsu castle", "K98 L99 S88 G78/G79"),
    shape("銀冠", "Silver Crown", "K88 S87 G78"),
    // 穴熊 on the left and on the right
    shape("ビッグ4", "Big Four", "K99 L98 G88 G78 S87 S77"),
    shape("松尾流穴熊", "Matsuo Anaguma", "K99 L98 S88 S79 G78"),
    shape("銀冠穴熊", "Silver Crown Anaguma", "K99 L98 S87 G78/G88"),
    shape("居飛車穴熊", "Static Rook Anaguma", "K99 L98 S88/G88"),
    shape("銀冠穴熊", "Silver Crown Anaguma", "K19 L18 S27 G38/G28"),
    shape("振り飛車穴熊", "Ranging Rook Anaguma", "K19 L18 S28/G28"),
    shape("振り飛車ミレニアム", "Ranging Rook Millennium", "K29 N37 S28 G39/G38"),
    // 美濃 and its relatives
    shape("ダイヤモンド美濃", "Diamond Mino", "K28 S38 G49 G58 S47"),
    shape("美濃囲い", "Mino castle", "K28 S38 G49 G58"),
    shape("高美濃", "High Mino", "K28 S38 G49 G47"),
    shape("銀美濃", "Silver Mino", "K28 S38 G49 S58"),
    shape("片美濃", "Half Mino", "K28 S38 G49"),
    shape("木村美濃", "Kimura Mino", "K28 G38 S47"),
    shape("金美濃", "Gold Mino", "K28 G38 S48"),
    shape("銀冠", "Silver Crown", "K28 S27 G38"),
    // Where both sides have a ranging rook
    shape("金無双", "Gold Fortress", "K38 G58 G48 S28/S39"),
    shape("右矢倉", "Right Yagura", "K28/K39 G38 S37 G47"),
    shape("早囲い", "Fast castle", "K38 S48 G49"),
    // What becomes one of the others
    shape("矢倉", "Yagura", "K69/K68 G78 S77 G67"),
    shape("銀冠", "Silver Crown", "K78 S87 G68"),
    shape("左美濃", "Left Mino", "K88/K79 S78 G79 G58"),
    shape("ミレニアム", "Millennium castle", "K89 N77 S88 G78 G68"),
    shape("中住まい", "Central House", "K58 G78 S38"),
];

/// What one player plays. The first one whose pattern holds gives the name.
#[rustfmt::skip]
pub(super) static STYLES: [Shape; 19] = [
    style(Kind::Ranging, "石田流", "Ishida", "R76 P75"),
    style(Kind::Ranging, "早石田", "Quick Ishida", "R78 P75 P67 !P7x"),
    style(Kind::Ranging, "三間飛車", "Third File Rook", "R78 !K78/K88"),
    // The same of Black is 先手中飛車.
    of_white(style(Kind::Ranging, "ゴキゲン中飛車", "Cheerful Central Rook", "R58 P76 P56/P55 P67")),
    style(Kind::Ranging, "中飛車", "Central Rook", "R58"),
    style(Kind::Ranging, "藤井システム", "Fujii System", "R68 K59 S38 G58 B77 P16/P15"),
    // In an ordinary 四間飛車 bishops are often exchanged, too, but behind a pawn on 66.
    style(Kind::Ranging, "角交換四間飛車", "Bishop Exchange Fourth File Rook", "R68 B* b* P67"),
    style(Kind::Ranging, "四間飛車", "Fourth File Rook", "R68 !K78"),
    style(Kind::Ranging, "向かい飛車", "Opposing Rook", "R88"),
    style(Kind::Static, "右四間飛車", "Right Fourth File Rook", "R48 P46/P45"),
    style(Kind::Static, "袖飛車", "Sleeve Rook", "R38 P36/P35"),
    style(Kind::Static, "棒銀", "Climbing Silver", "R28 S27/S26"),
    // Its right silver may go to 46 or 56. In 角換わり, which looks alike, bishops are in hand.
    style(Kind::Static, "矢倉", "Yagura", "R28/R38/R29 S77 P76 P66/P65 B88/B79/B68/B57/B46"),
    style(Kind::Static, "早繰り銀", "Rushing Silver", "R28 S46 P36/P35/P3x"),
    style(Kind::Static, "腰掛け銀", "Reclining Silver", "R28/R29 S56 P47/P46/P45"),
    style(Kind::Static, "矢倉", "Yagura", "R28/R38/R29 S77 P76 P66/P65"),
    style(Kind::Static, "雁木", "Snow Roof", "R28/R48/R29 S67 G78 P76 P66/P65"),
    style(Kind::Static, "居飛車", "Static Rook", "R28 P26/P25/P24/P2x"),
    style(Kind::Static, "居飛車", "Static Rook", "R26/R24/R34/R36/R25/R29 P2x"),
];

/// What both players play together. The first one that has held in any position gives the name.
#[rustfmt::skip]
pub(super) static TOGETHER: [Shape; 6] = [
    // The bishop that is dropped before anything else has moved. In other openings it may stand there later.
    style(Kind::Together, "筋違い角", "Wrong Diagonal Bishop",
        "B45/B34 b* R28 K59 G49 G69 S39 P27 P76/P77"),
    // The player who exchanged the bishops has spent a move more: the opponent's silver took back
    // on its own camp, and the pawn of the rook has not reached the fifth rank.
    style(Kind::Together, "一手損角換わり", "One Move Loss Bishop Exchange",
        "B* b* R28 r82 s22/s33 S79/S68 G69 P27/P26 P76/P77"),
    style(Kind::Together, "横歩取り", "Side Pawn Capture", "R34 P* P76 p3x r82/r84/r85/r86"),
    // Out of two 矢倉, where the gold is on 67, bishops are exchanged late: that is another opening.
    style(Kind::Together, "角換わり", "Bishop Exchange",
        "B* b* R28/R29 r82/r81 S77/S88 p34/p33/p35 !G67/g43"),
    style(Kind::Together, "相掛かり", "Double Wing Attack",
        "R28/R26/R24/R25 r82/r84/r85/r86 B88 b22 G78 g32 P25/P2x p85/p8x P77/p33"),
    style(Kind::Together, "相掛かり", "Double Wing Attack",
        "R28/R26/R24/R25 r82/r84/r85/r86 B88 b22 P2x p8x P77/p33"),
];
