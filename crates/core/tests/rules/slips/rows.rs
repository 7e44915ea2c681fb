//! The hand-made positions, in groups. This file is a table, which is why it is long.

use super::Slip;
use crate::oracle::Reason;

pub(crate) const SLIPS: &[Slip] = &[
    // Nifu (二歩): two pawns on a file.
    Slip {
        why: "a promoted pawn does not block its file",
        sfen: "4k4/9/9/9/9/9/9/4+P4/4K4 b P 1",
        count: 79,
        legal: "P*5b P*5g P*1b P*9i",
        illegal: &[(Reason::OccupiedDrop, "P*5h P*5i"), (Reason::DeadPiece, "P*1a P*9a")],
        ..Slip::QUIET
    },
    Slip {
        why: "a pawn of the other color does not block the file",
        sfen: "4k4/9/4p4/9/9/9/9/9/4K4 b P 1",
        count: 75,
        legal: "P*5d P*5h P*5b",
        ..Slip::QUIET
    },
    Slip {
        why: "the same seen from White",
        sfen: "4k4/9/4P4/9/9/9/9/9/4K4 w p 1",
        count: 74,
        legal: "P*5d P*5b P*5h",
        illegal: &[(Reason::DeadPiece, "P*1i P*4i"), (Reason::LeavesKingInCheck, "5a5b")],
        ..Slip::QUIET
    },
    Slip {
        why: "a promoted pawn of White does not block White's file",
        sfen: "4k4/4+p4/9/9/9/9/9/9/4K4 w p 1",
        count: 79,
        legal: "P*5c P*5h",
        ..Slip::QUIET
    },
    Slip {
        why: "pawns on the odd files block these and no other",
        sfen: "4k4/9/9/9/P1P1P1P1P/9/9/9/4K4 b P 1",
        count: 42,
        legal: "P*2b P*4i P*6e P*8h",
        illegal: &[
            (Reason::TwoPawns, "P*1b P*1i P*3d P*5g P*7i P*9b P*9i"),
            (Reason::OccupiedDrop, "P*1e P*9e"),
        ],
        ..Slip::QUIET
    },
    Slip {
        why: "pawns on the even files, White to move, anywhere on the file",
        sfen: "4k4/1p7/9/5p3/3p5/9/9/7p1/4K4 w p 1",
        count: 48,
        legal: "P*1a P*3h P*5b P*7e P*9a",
        illegal: &[(Reason::TwoPawns, "P*2a P*4h P*6a P*8h P*8a")],
        ..Slip::QUIET
    },
    Slip {
        why: "with a pawn on every file no pawn can be dropped",
        sfen: "4k4/9/9/9/9/9/PPPPPPPPP/9/4K4 b P 1",
        count: 14,
        legal: "1g1f 9g9f",
        illegal: &[(Reason::TwoPawns, "P*1b P*5e P*9h")],
        ..Slip::QUIET
    },
    Slip {
        why: "the nine promoted pawns block nothing",
        sfen: "4k4/9/9/9/9/9/+P+P+P+P+P+P+P+P+P/9/4K4 b P 1",
        count: 101,
        legal: "P*1b P*5b P*9i P*3h",
        ..Slip::QUIET
    },
    // Uchifuzume (打ち歩詰め): pawn-drop mate.
    Slip {
        why: "the only man who could take the pawn is pinned: mate, hence illegal; the other pawn drops stay legal",
        sfen: "R6gk/9/7S1/9/9/9/9/9/4K4 b P 1",
        count: 114,
        legal: "P*1c P*9b P*2b P*5e",
        illegal: &[(Reason::PawnDropMate, "P*1b")],
        ..Slip::QUIET
    },
    Slip {
        why: "without the pin the gold takes the pawn",
        sfen: "7gk/9/7S1/9/9/9/9/9/4K4 b P 1",
        count: 85,
        legal: "P*1b",
        ..Slip::QUIET
    },
    Slip {
        why: "the mating drop stands on the last file",
        sfen: "kg6R/9/1S7/9/9/9/9/9/4K4 b P 1",
        count: 114,
        legal: "P*8b P*9c P*1b",
        illegal: &[(Reason::PawnDropMate, "P*9b")],
        ..Slip::QUIET
    },
    Slip {
        why: "White drops: the pawn stands on the rank above the king",
        sfen: "4k4/9/9/9/9/9/1s7/9/KG6r w p 1",
        count: 114,
        legal: "P*9a P*9g P*1h",
        illegal: &[(Reason::PawnDropMate, "P*9h"), (Reason::DeadPiece, "P*2i P*3i")],
        ..Slip::QUIET
    },
    Slip {
        why: "White drops and an unpinned gold of Black takes; White's own men near the pawn do not count as takers",
        sfen: "4k4/9/9/9/9/9/1s7/9/KG7 w p 1",
        count: 85,
        legal: "P*9h",
        ..Slip::QUIET
    },
    Slip {
        why: "the dropped pawn cuts the bishop's line to 4a, the one flight",
        sfen: "4k4/2G6/3B2G2/9/9/9/9/9/4K4 b P 1",
        count: 105,
        legal: "P*5b",
        ..Slip::QUIET
    },
    Slip {
        why: "the same, but a lance covers 4a as well",
        sfen: "4k4/2G6/3B2G2/9/9/9/9/9/4KL3 b P 1",
        count: 112,
        legal: "P*5c",
        illegal: &[(Reason::PawnDropMate, "P*5b"), (Reason::MustPromote, "4i4a")],
        mates: "3c4b 4i4a+ 4i4b+ 6c4a+",
        ..Slip::QUIET
    },
    Slip {
        why: "a gold pinned along the file takes the pawn without leaving the pin",
        sfen: "3lkl3/9/3GgS3/9/9/9/9/9/4R3K b P 1",
        count: 100,
        legal: "P*5b",
        mates: "5i5c 5i5c+",
        ..Slip::QUIET
    },
    Slip {
        why: "a silver in its place cannot move straight back",
        sfen: "3lkl3/9/3GsS3/9/9/9/9/9/4R3K b P 1",
        count: 99,
        legal: "P*5d",
        illegal: &[(Reason::PawnDropMate, "P*5b")],
        mates: "4c5b+ 5i5c 5i5c+ 6c5b",
        ..Slip::QUIET
    },
    Slip {
        why: "nothing guards the pawn, so the king takes it",
        sfen: "3lkl3/2G3G2/9/9/9/9/9/9/4K4 b P 1",
        count: 82,
        legal: "P*5b",
        illegal: &[(Reason::LeavesKingInCheck, "5i4h 5i6i")],
        ..Slip::QUIET
    },
    Slip {
        why: "a pinned knight still guards the pawn against the king",
        sfen: "3lkl3/2G3G2/9/5N3/9/9/9/9/5K3 b P 1",
        count: 84,
        legal: "P*5c",
        illegal: &[(Reason::PawnDropMate, "P*5b"), (Reason::LeavesKingInCheck, "4d5b+")],
        pinned: "4d",
        ..Slip::QUIET
    },
    Slip {
        why: "a bishop far away takes the pawn",
        sfen: "3lkl3/2G3G2/9/5N3/9/8b/9/9/K8 b P 1",
        count: 83,
        legal: "P*5b",
        ..Slip::QUIET
    },
    Slip {
        why: "the pawn parries a check and would mate: illegal; on the next square it parries without mating",
        sfen: "3lk4/3r2K2/4G4/1B7/9/9/9/9/9 b P 1",
        count: 11,
        legal: "P*4b 5c4b 5c5b",
        illegal: &[(Reason::PawnDropMate, "P*5b"), (Reason::LeavesKingInCheck, "P*5d P*3d")],
        mates: "5c4b",
        checkers: "6b",
        ..Slip::QUIET
    },
    Slip {
        why: "the pawn parries a check and the checking rook, not pinned here, takes it",
        sfen: "3lk4/3r2K2/4G4/9/9/9/9/9/9 b P 1",
        count: 10,
        legal: "P*4b P*5b",
        checkers: "6b",
        ..Slip::QUIET
    },
    Slip {
        why: "the king has one way out, taking an unguarded lance",
        sfen: "8k/7L1/9/7N1/9/9/9/9/4K4 b P 1",
        count: 77,
        legal: "P*1b",
        ..Slip::QUIET
    },
    Slip {
        why: "the lance is guarded",
        sfen: "8k/6GL1/9/7N1/9/9/9/9/4K4 b P 1",
        count: 79,
        legal: "P*1c",
        illegal: &[(Reason::PawnDropMate, "P*1b")],
        mates: "2b2a+ 3b2a",
        ..Slip::QUIET
    },
    Slip {
        why: "a pawn that moves may mate",
        sfen: "R6gk/9/7SP/9/9/9/9/9/4K4 b - 1",
        count: 47,
        legal: "1c1b 1c1b+",
        mates: "1c1b 1c1b+ 2c1b+",
        ..Slip::QUIET
    },
    Slip {
        why: "any other man may be dropped to mate",
        sfen: "R6gk/9/7S1/9/9/9/9/9/4K4 b L 1",
        count: 115,
        legal: "L*1b L*1i",
        illegal: &[(Reason::DeadPiece, "L*3a")],
        mates: "L*1b L*1c L*1d L*1e L*1f L*1g L*1h L*1i",
        ..Slip::QUIET
    },
    Slip {
        why: "White is left without a move by almost everything; only the drop that also checks is illegal",
        sfen: "8k/6G2/8+P/9/9/9/9/9/4K4 b P 1",
        count: 83,
        legal: "P*2b P*9b P*5e",
        illegal: &[(Reason::PawnDropMate, "P*1b")],
        mates: "1c2b 3b2b",
        ..Slip::QUIET
    },
    Slip {
        why: "a drop that leaves the mover's own king in check breaks that rule first",
        sfen: "R6gk/9/4r2S1/9/9/9/9/9/4K4 b P 1",
        count: 9,
        legal: "P*5d P*5h",
        illegal: &[(Reason::LeavesKingInCheck, "P*1b P*1c")],
        checkers: "5c",
        ..Slip::QUIET
    },
    // Double check (両王手).
    Slip {
        why: "rook and knight: the silver may not take the knight, a pawn may not parry the rook",
        sfen: "4k4/6s2/5N3/9/9/9/9/9/4R3K w 2p 1",
        count: 4,
        legal: "5a4a 5a4b 5a6a 5a6b",
        illegal: &[(Reason::LeavesKingInCheck, "3b4c P*5b P*5h 5a5b")],
        checkers: "4c 5i",
        ..Slip::QUIET
    },
    Slip {
        why: "the king takes one of the two checkers",
        sfen: "4k4/5S3/9/9/9/9/9/9/4R3K w p 1",
        count: 3,
        legal: "5a4b",
        illegal: &[(Reason::LeavesKingInCheck, "5a4a 5a5b P*5e")],
        checkers: "4b 5i",
        ..Slip::QUIET
    },
    Slip {
        why: "the king may not take it when it is guarded",
        sfen: "4k4/5S3/5L3/9/9/9/9/9/4R3K w p 1",
        count: 2,
        legal: "5a6a 5a6b",
        illegal: &[(Reason::LeavesKingInCheck, "5a4b")],
        checkers: "4b 5i",
        ..Slip::QUIET
    },
    // Pins.
    Slip {
        why: "along the rank a gold may move, a silver has no move",
        sfen: "4k4/9/9/9/r1S1K1G1r/9/9/9/9 b - 1",
        count: 10,
        legal: "3e2e 3e4e",
        illegal: &[(Reason::LeavesKingInCheck, "3e3d 3e2d 7e7d 7e6d 7e8f")],
        pinned: "3e 7e",
        ..Slip::QUIET
    },
    Slip {
        why: "along a diagonal a bishop may move up to and onto the pinner",
        sfen: "b8/9/2B6/9/4K4/9/9/9/8k b - 1",
        count: 14,
        legal: "7c6d 7c6d+ 7c8b 7c9a+",
        illegal: &[(Reason::LeavesKingInCheck, "7c6b 7c9e")],
        pinned: "7c",
        ..Slip::QUIET
    },
    Slip {
        why: "a pinned knight has no move, here on a diagonal",
        sfen: "9/9/9/9/4K4/9/2N6/9/+b7k b - 1",
        count: 8,
        legal: "5e5d",
        illegal: &[(Reason::LeavesKingInCheck, "7g6e 7g8e")],
        pinned: "7g",
        ..Slip::QUIET
    },
    Slip {
        why: "a lance slides along the file and must promote on the last rank",
        sfen: "4r3k/9/9/9/9/4L4/9/9/4K4 b - 1",
        count: 12,
        legal: "5f5b 5f5a+",
        illegal: &[(Reason::MustPromote, "5f5a")],
        pinned: "5f",
        ..Slip::QUIET
    },
    Slip {
        why: "a pawn advances along the file",
        sfen: "4r3k/9/9/9/9/4P4/9/9/4K4 b - 1",
        count: 6,
        legal: "5f5e",
        pinned: "5f",
        ..Slip::QUIET
    },
    Slip {
        why: "a silver only advances",
        sfen: "4r3k/9/9/9/9/4S4/9/9/4K4 b - 1",
        count: 6,
        legal: "5f5e",
        illegal: &[(Reason::LeavesKingInCheck, "5f4e 5f6g")],
        pinned: "5f",
        ..Slip::QUIET
    },
    Slip {
        why: "a rook moves on the file, towards its king too, and nowhere else",
        sfen: "4r3k/9/9/9/9/4R4/9/9/4K4 b - 1",
        count: 15,
        legal: "5f5h 5f5a+ 5f5a",
        illegal: &[(Reason::LeavesKingInCheck, "5f1f 5f9f")],
        pinned: "5f",
        ..Slip::QUIET
    },
    Slip {
        why: "a bishop on the file has no move",
        sfen: "4r3k/9/9/9/9/4B4/9/9/4K4 b - 1",
        count: 5,
        legal: "5i5h",
        illegal: &[(Reason::LeavesKingInCheck, "5f4e 5f1b+")],
        pinned: "5f",
        ..Slip::QUIET
    },
    Slip {
        why: "two men between king and slider, one of each side: no pin",
        sfen: "4r3k/4p4/9/9/9/4S4/9/9/4K4 b P 1",
        count: 79,
        legal: "5f4e 5f6g",
        ..Slip::QUIET
    },
    Slip {
        why: "two own men between king and slider: no pin",
        sfen: "4r3k/4P4/9/9/9/4S4/9/9/4K4 b - 1",
        count: 11,
        legal: "5f4e 5f6g 5b5a+",
        illegal: &[(Reason::MustPromote, "5b5a")],
        ..Slip::QUIET
    },
    Slip {
        why: "a lance does not pin backwards",
        sfen: "4K3k/9/9/4S4/9/9/9/4l4/9 b - 1",
        count: 13,
        legal: "5d4c 5d6e",
        ..Slip::QUIET
    },
    Slip {
        why: "the man who could take the checking knight is pinned",
        sfen: "4r3k/9/9/9/9/9/5n3/4G4/4K4 b - 1",
        count: 4,
        legal: "5i4h",
        illegal: &[(Reason::LeavesKingInCheck, "5h4g 5h4h")],
        checkers: "4g",
        pinned: "5h",
        ..Slip::QUIET
    },
    Slip {
        why: "another man, not pinned, takes it",
        sfen: "4r3k/9/9/9/9/9/5n3/4G1S2/4K4 b - 1",
        count: 5,
        legal: "3h4g",
        illegal: &[(Reason::LeavesKingInCheck, "5h4g 3h3g")],
        checkers: "4g",
        pinned: "5h",
        ..Slip::QUIET
    },
    // The king and the lines behind it.
    Slip {
        why: "no stepping back along a file",
        sfen: "4r4/9/9/9/4K4/9/9/9/k8 b - 1",
        count: 6,
        legal: "5e4e 5e6f",
        illegal: &[(Reason::LeavesKingInCheck, "5e5f 5e5d")],
        checkers: "5a",
        ..Slip::QUIET
    },
    Slip {
        why: "no stepping back along a diagonal",
        sfen: "8b/9/9/9/4K4/9/9/9/k8 b - 1",
        count: 6,
        legal: "5e5f 5e6d",
        illegal: &[(Reason::LeavesKingInCheck, "5e6f 5e4d")],
        checkers: "1a",
        ..Slip::QUIET
    },
    Slip {
        why: "no stepping back before a lance",
        sfen: "4l4/9/9/9/4K4/9/9/9/k8 b - 1",
        count: 6,
        legal: "5e4f",
        illegal: &[(Reason::LeavesKingInCheck, "5e5f 5e5d")],
        checkers: "5a",
        ..Slip::QUIET
    },
    Slip {
        why: "a slider guards the slider in front of it",
        sfen: "4r4/9/9/4r4/4K4/9/9/9/k8 b - 1",
        count: 4,
        legal: "5e4e 5e6f",
        illegal: &[(Reason::LeavesKingInCheck, "5e5d 5e4d")],
        checkers: "5d",
        ..Slip::QUIET
    },
    Slip {
        why: "kings keep apart",
        sfen: "9/9/4k4/9/4K4/9/9/9/9 b - 1",
        count: 5,
        legal: "5e4f",
        illegal: &[(Reason::LeavesKingInCheck, "5e5d 5e4d 5e6d")],
        ..Slip::QUIET
    },
    Slip {
        why: "a knight guards two squares and blocks nothing",
        sfen: "8k/4n4/9/4K4/9/9/9/9/9 b - 1",
        count: 6,
        legal: "5d5c",
        illegal: &[(Reason::LeavesKingInCheck, "5d4d 5d6d")],
        ..Slip::QUIET
    },
    // Promotion and the last ranks.
    Slip {
        why: "pawn, lance and knight must promote where they could not move on, and may not be dropped there",
        sfen: "8k/PL7/2N6/3N5/9/9/9/9/4K4 b PLN 1",
        count: 198,
        legal: "9b9a+ 8b8a+ 7c6a+ 6d5b+ P*1b L*2b N*3c",
        illegal: &[
            (Reason::MustPromote, "9b9a 8b8a 7c6a 7c8a 6d5b 6d7b"),
            (Reason::DeadPiece, "P*5a L*5a N*5a N*5b"),
        ],
        ..Slip::QUIET
    },
    Slip {
        why: "the same for White",
        sfen: "4k4/9/9/9/9/5n3/6n2/7lp/K8 w pln 1",
        count: 198,
        legal: "1h1i+ 2h2i+ 3g4i+ 4f5h+ P*9h L*9h N*9g",
        illegal: &[
            (Reason::MustPromote, "1h1i 2h2i 3g4i 3g2i 4f5h 4f3h"),
            (Reason::DeadPiece, "P*5i L*5i N*5i N*5h"),
        ],
        ..Slip::QUIET
    },
    Slip {
        why: "a lance may stay unpromoted on the second rank but not on the first",
        sfen: "k8/9/1L7/9/9/9/9/9/4K4 b - 1",
        count: 8,
        legal: "8c8b 8c8b+ 8c8a+",
        illegal: &[(Reason::MustPromote, "8c8a")],
        ..Slip::QUIET
    },
    Slip {
        why: "entering, moving inside and leaving the zone all allow promotion",
        sfen: "k8/9/2S6/P2S1L1N1/9/4B4/7R1/9/4K4 b - 1",
        count: 58,
        legal: "7c8d+ 7c7b 6d6c+ 9d9c 9d9c+ 4d4a+ 2d1b+ 5f8c+ 5f2c+",
        illegal: &[(Reason::CannotPromote, "6d7e+ 6d5e+ 2g3g+ 5f6e+ 5i5h+")],
        ..Slip::QUIET
    },
    Slip {
        why: "a gold, a king and promoted men never promote",
        sfen: "k8/9/2+SG+P2+R1/9/9/9/9/9/4K4 b - 1",
        count: 34,
        legal: "6c6b 5c5b 2c2a",
        illegal: &[(Reason::CannotPromote, "6c6b+ 5c5b+ 2c2a+ 7c7b+ 5i5h+")],
        ..Slip::QUIET
    },
    // One reason for every rule.
    Slip {
        why: "the starting position",
        sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        count: 30,
        legal: "7g7f 2h7h",
        illegal: &[
            (Reason::NoPieceThere, "5e5d 5e5g 5e5e"),
            (Reason::WrongSide, "3c3d 5a5b 3c3c"),
            (Reason::OwnPieceOnTarget, "8h7g 9i9g 5i5i"),
            (Reason::NotAlongVector, "7g7e 8i7f 5i5f"),
            (Reason::LeapsOver, "8h4d 2h2d 9i9f"),
            (Reason::NotInHand, "P*5e R*5a"),
            (Reason::CannotPromote, "7g7f+ 5i5h+"),
            (Reason::OffTheBoard, "0a1a 7g7j 9j9i+ P*0a G*5z"),
            (Reason::NotAMove, "7g 7g7f= K*5e p*5e +P*5e pass 7G7F 七g7f"),
        ],
        ..Slip::QUIET
    },
    Slip {
        why: "drops",
        sfen: "4k4/9/9/9/9/9/4P4/9/4K4 b PLN 1",
        count: 201,
        legal: "L*5h N*9c",
        illegal: &[
            (Reason::OccupiedDrop, "L*5g N*5a P*5g"),
            (Reason::TwoPawns, "P*5f P*5b"),
            (Reason::DeadPiece, "P*1a L*1a N*1b"),
            (Reason::NotInHand, "G*5e R*1a"),
        ],
        ..Slip::QUIET
    },
    // Mates at once.
    Slip {
        why: "every move of the silver discovers the rook's check",
        sfen: "R3S3k/9/8G/9/9/9/9/9/4K4 b - 1",
        count: 35,
        mates: "5a4b 5a4b+ 5a6b 5a6b+",
        ..Slip::QUIET
    },
    Slip {
        why: "the knight opens two lines: one gives check, the other covers the flight on 4b",
        sfen: "3lkl3/2G6/4N4/9/2B6/9/9/9/4R3K b - 1",
        count: 33,
        legal: "5c6a+ 5c4a+",
        illegal: &[(Reason::MustPromote, "5c6a 5c4a")],
        mates: "5c6a+",
        ..Slip::QUIET
    },
    Slip {
        why: "check by two men: neither lance helps",
        sfen: "3lkl3/2G3G2/9/9/4N4/9/9/9/4R3K b - 1",
        count: 29,
        mates: "5e4c 5e4c+ 5e6c 5e6c+",
        ..Slip::QUIET
    },
    Slip {
        why: "a check from afar: pawns on every file between forbid the parry",
        sfen: "8k/R8/1pppppppG/9/9/9/9/9/4K4 b p 1",
        count: 41,
        mates: "1c1b 1c2b 9b1b+ 9b2b+ 9b9a 9b9a+",
        ..Slip::QUIET
    },
    Slip {
        why: "one of these pawns is promoted, so a pawn parries on its file",
        sfen: "8k/R8/1ppp+ppppG/9/9/9/9/9/4K4 b p 1",
        count: 41,
        mates: "1c1b 1c2b 9b1b+ 9b2b+",
        ..Slip::QUIET
    },
    Slip {
        why: "taking the pawn with check opens its file for a pawn that parries",
        sfen: "3lkl3/2G3G2/9/9/R3p4/9/9/9/8K b p 1",
        count: 30,
        legal: "9e5e",
        ..Slip::QUIET
    },
    Slip {
        why: "taking a silver instead leaves a pawn on the file, and no pawn parries",
        sfen: "3lkl3/2G3G2/9/9/R3s4/9/9/4p4/8K b p 1",
        count: 30,
        legal: "9e5e",
        mates: "9e5e",
        ..Slip::QUIET
    },
    Slip {
        why: "a check along the last rank, where pawn, lance and knight cannot be dropped",
        sfen: "K8/9/9/9/9/9/6S1G/R8/8k b nlp 1",
        count: 29,
        mates: "9h9i",
        ..Slip::QUIET
    },
    Slip { why: "a gold can", sfen: "K8/9/9/9/9/9/6S1G/R8/8k b gnlp 1", count: 29, ..Slip::QUIET },
    Slip {
        why: "the guard of the king's neighbor square is pinned",
        sfen: "R6gk/9/7S1/9/9/9/9/9/4K4 b G 1",
        count: 121,
        mates: "G*1b G*2b",
        ..Slip::QUIET
    },
    Slip {
        why: "in check: the king takes the checker and discovers mate",
        sfen: "3lkl3/2G3G2/5P3/9/4Kg3/9/9/9/4R4 b - 1",
        count: 2,
        mates: "5e4e",
        checkers: "4e",
        ..Slip::QUIET
    },
    Slip {
        why: "in check: a drop or a move parries and mates, since the checking rook is pinned",
        sfen: "3lk4/3r2K2/4G4/1B7/9/9/9/9/9 b G 1",
        count: 12,
        mates: "5c4b G*4b G*5b",
        checkers: "6b",
        ..Slip::QUIET
    },
    Slip {
        why: "in check: taking the checker mates",
        sfen: "4k1+n2/4s4/4K4/9/9/B8/4P4/9/9 b GLPp 1",
        count: 5,
        mates: "9f5b+",
        checkers: "5b",
        ..Slip::QUIET
    },
    // Sides without a king.
    Slip {
        why: "no king to mate: every square a pawn may stand on takes a drop",
        sfen: "9/9/9/9/9/9/9/9/4K4 b P 1",
        count: 76,
        legal: "P*1b P*5b",
        illegal: &[(Reason::DeadPiece, "P*1a P*5a")],
        ..Slip::QUIET
    },
    Slip {
        why: "no king to lose: nothing is pinned and no check is felt",
        sfen: "4r3k/9/9/9/9/9/9/4G4/9 b P 1",
        count: 77,
        legal: "5h4h 5h5i 5h6g",
        ..Slip::QUIET
    },
    Slip {
        why: "White alone has no king, and White's pawn still blocks its file",
        sfen: "9/9/9/4p4/9/9/9/9/K8 w p 1",
        count: 65,
        legal: "P*1h P*8a",
        illegal: &[(Reason::TwoPawns, "P*5e"), (Reason::DeadPiece, "P*4i P*1i")],
        ..Slip::QUIET
    },
    Slip {
        why: "no king and no man: no move, and no mate either",
        sfen: "9/9/9/9/9/9/9/9/9 b - 1",
        count: 0,
        ..Slip::QUIET
    },
];
