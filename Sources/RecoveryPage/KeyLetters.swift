// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `KeyLetters` holds the letters of a recovery key, drawn for this page: lines and curves with a pen, in 1,000ths of
/// the letters' size.
///
/// They go into the file itself, so that a key looks alike in every reader and on every printer, whatever fonts are
/// there. Each is made to be told from the others: dots on i and j, a foot on l, an open a, digits taller than z and s.
///
/// The text of each is PDF's own: `x y m` begins a line, `x y l` goes on, six numbers and `c` make a curve, `S` draws,
/// `w` sets the pen.
enum KeyLetters {
    /// Number of 1,000ths that a letter takes of its line; all take the same.
    static let advance = 600
    /// The hyphen's, with room on both sides: it parts the groups.
    static let hyphenAdvance = 960
    /// Least box around all letters: left, bottom, right, top.
    static let box = [0, -270, hyphenAdvance, 800]
    /// All letters, ascending by code; names are those that readers of PDF know, so that a copied key is the key.
    static let all: [(code: UInt8, name: String, path: String)] =
        [(0x2D, "hyphen", "340 250 m 620 250 l")]
        + zip(0x32..., zip(["two", "three", "four", "five", "six", "seven"], digits)).map { ($0, $1.0, $1.1) }
        + zip(0x61..., letters).map { ($0, String(Unicode.Scalar(UInt8($0))), $1) }

    static let pen = 78
    private static let dot = " S 130 w "
    private static let bowl =
        "500 250 m 500 388 410 500 300 500 c 190 500 100 388 100 250 c 100 112 190 0 300 0 c 410 0 500 112 500 250 c h"
    private static let arch = "100 290 m 120 420 205 500 310 500 c 430 500 500 430 500 310 c 500 0 l"

    private static let digits = [
        "115 545 m 135 645 205 710 300 710 c 410 710 485 640 485 535 c 485 440 420 360 330 265 c 105 0 l 505 0 l",
        "120 640 m 160 685 225 710 295 710 c 400 710 475 645 475 550 c 475 450 400 380 270 380 c 410 380 495 305 495 195 c "
            + "495 75 410 0 295 0 c 210 0 140 35 95 95 c",
        "390 0 m 390 710 l 85 210 l 520 210 l",
        "470 710 m 160 710 l 130 395 l 175 435 230 452 295 452 c 410 452 495 360 495 230 c 495 90 410 0 290 0 c 210 0 145 30 100 85 c",
        "445 700 m 240 620 105 440 105 225 c 105 90 180 0 300 0 c 420 0 497 95 497 220 c 497 345 420 435 305 435 c 210 435 130 375 108 270 c",
        "100 710 m 500 710 l 240 0 l",
    ]

    private static let letters = [
        "120 425 m 160 475 225 500 300 500 c 420 500 490 440 490 330 c 490 0 l 490 285 m 330 285 l 185 285 105 235 105 143 c "
            + "105 55 175 0 265 0 c 370 0 490 70 490 195 c",
        "100 740 m 100 0 l \(bowl)",
        "485 420 m 440 470 380 500 310 500 c 190 500 105 390 105 250 c 105 110 190 0 310 0 c 380 0 440 30 485 80 c",
        "500 740 m 500 0 l \(bowl)",
        "105 260 m 495 260 l 495 400 420 500 305 500 c 190 500 105 390 105 250 c 105 105 190 0 315 0 c 390 0 450 25 490 75 c",
        "495 725 m 470 738 440 742 410 742 c 310 742 265 690 265 590 c 265 0 l 110 480 m 480 480 l",
        "\(bowl) 500 500 m 500 -60 l 500 -160 420 -215 300 -215 c 220 -215 160 -195 120 -160 c",
        "100 740 m 100 0 l \(arch)",
        "140 490 m 320 490 l 320 0 l 120 0 m 510 0 l\(dot)317 700 m 323 700 l",
        "170 490 m 380 490 l 380 -60 l 380 -160 310 -215 220 -215 c 180 -215 145 -207 115 -195 c\(dot)377 700 m 383 700 l",
        "110 740 m 110 0 l 470 490 m 110 190 l 225 286 m 495 0 l",
        "120 740 m 290 740 l 290 140 l 290 45 345 0 420 0 c 455 0 490 8 515 22 c",
        "70 500 m 70 0 l 70 360 m 80 450 130 500 188 500 c 260 500 300 450 300 370 c 300 0 l 300 370 m 308 450 358 500 418 500 c "
            + "488 500 530 450 530 370 c 530 0 l",
        "100 500 m 100 0 l \(arch)",
        bowl,
        "100 500 m 100 -215 l \(bowl)",
        "500 500 m 500 -215 l \(bowl)",
        "150 500 m 150 0 l 150 280 m 170 420 260 500 370 500 c 430 500 475 485 505 455 c",
        "470 430 m 430 475 370 500 300 500 c 195 500 125 450 125 375 c 125 300 185 275 300 252 c 420 228 485 200 485 125 c "
            + "485 48 410 0 300 0 c 220 0 150 25 105 75 c",
        "250 680 m 250 150 l 250 50 300 0 385 0 c 430 0 465 8 495 22 c 110 480 m 480 480 l",
        "100 500 m 100 190 l 100 70 170 0 285 0 c 390 0 480 80 500 210 c 500 500 m 500 0 l",
        "90 500 m 300 0 l 510 500 l",
        "55 500 m 175 0 l 300 400 l 425 0 l 545 500 l",
        "100 500 m 500 0 l 500 500 m 100 0 l",
        "95 500 m 300 0 l 510 500 m 241 -140 l 215 -195 175 -215 105 -210 c",
        "110 490 m 480 490 l 105 0 l 500 0 l",
    ]
}
