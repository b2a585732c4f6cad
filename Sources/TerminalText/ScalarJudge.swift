// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ScalarJudge` says of each scalar of a text, in its order, whether a terminal may get it.
///
/// The rule, and why:
/// - Hidden wherever they stand: controls; marks that reorder a line (Unicode TR 9) and its separators; whatever is not
///   seen (`Default_Ignorable_Code_Point`: zero-width spaces, soft hyphens, fillers, invisible operators, tags) and
///   other format characters. They drive the terminal, let two names look alike, or carry a message that nobody sees.
/// - Some of these are letters' tools in ordinary text. They stay where they do their work, one at a time: see
///   `ScriptTools`.
/// - A character may bear `markCountMax` marks; a taller stack runs over the lines above and below it. UTS #39 §5.4
///   calls more than four suspicious; pointed Hebrew with accents, Burmese and Tibetan need up to six.
struct ScalarJudge {
    enum Verdict {
        case plain, hidden
        /// A mark too many.
        case excess
    }

    private static let markCountMax = 6
    /// Most joiners in one emoji: a family of four has three.
    private static let joinCountMax = 3

    /// What stands directly before, if a terminal got it.
    private var last: Unicode.Scalar?
    private var markCount = 0
    private var joinCount = 0
    /// Whether `last` ends an emoji that may be joined to another.
    private var isEmoji = false
    /// Of a flag's tag sequence that was found to be one.
    private var tagsLeft = 0
    /// Of a run of blank Braille cells, whose neighbours are looked at once.
    private var blanksLeft = 0
    private var blanksStay = false

    /// Begins anew, as at the start of a line: nothing stands before.
    mutating func restart() { self = ScalarJudge() }

    mutating func verdict(at index: String.Index, in scalars: String.UnicodeScalarView) -> Verdict {
        let scalar = scalars[index]
        if ScriptTools.isOrdinary(scalar) {
            begin(scalar, isEmoji: false)
            return .plain
        }
        if scalar == "\u{2800}" { return blank(index, in: scalars) }
        let verdict = special(scalar, at: index, in: scalars)
        if verdict == .hidden { restart() }
        return verdict
    }

    private mutating func special(
        _ scalar: Unicode.Scalar, at index: String.Index, in scalars: String.UnicodeScalarView
    ) -> Verdict {
        switch scalar.value {
        case 0xE0020...0xE007F: return tag(index, in: scalars) ? .plain : .hidden
        case 0x200B...0x200D, 0x180B...0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF:
            return tool(scalar, before: scalars[scalars.index(after: index)...].first) ? .plain : .hidden
        default: break
        }
        if ScriptTools.isHidden(scalar) { return .hidden }
        guard CharacterWidth.columns(of: scalar) == 0 else {
            begin(scalar, isEmoji: ScriptTools.isEmoji(scalar))
            return .plain
        }
        markCount += 1
        isEmoji = false
        let isExcess = markCount > Self.markCountMax
        last = isExcess ? nil : scalar
        return isExcess ? .excess : .plain
    }

    /// Returns whether a joiner, a variation selector or a zero-width space stays: it does where it does its work.
    private mutating func tool(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        guard let last else { return false }
        switch scalar.value {
        case 0x200D where isEmoji && next.map(ScriptTools.isEmoji) == true:
            joinCount += 1
            guard joinCount <= Self.joinCountMax else { return false }
        case 0x200C, 0x200D: guard ScriptTools.joins(last) else { return false }
        case 0x200B: guard ScriptTools.writesWithoutSpaces(last) else { return false }
        case 0x180B...0x180F: guard ScriptTools.isMongolian(last) else { return false }
        default: guard ScriptTools.hasVariants(last, scalar, before: next) else { return false }
        }
        markCount += 1
        self.last = scalar
        // An emoji that was asked for as one can be joined; after a joiner there must be another.
        isEmoji = isEmoji && scalar == "\u{FE0F}"
        return true
    }

    /// Begins a character that takes columns. A skin's colour is one, and belongs to the emoji before it.
    private mutating func begin(_ scalar: Unicode.Scalar, isEmoji: Bool) {
        if last != "\u{200D}" { joinCount = 0 }
        markCount = 0
        self.isEmoji = isEmoji
        last = scalar
    }

    /// Returns whether a tag character stays. The flags of England, Scotland and Wales are the only tag sequences in
    /// use (Unicode, emoji-sequences.txt).
    private mutating func tag(_ index: String.Index, in scalars: String.UnicodeScalarView) -> Bool {
        if tagsLeft == 0, last == "\u{1F3F4}" {
            let ahead = scalars[index...].prefix(6).map(\.value)
            if ScriptTools.flags.contains(where: { $0 == ahead }) { tagsLeft = 6 }
        }
        guard tagsLeft > 0 else { return false }
        tagsLeft -= 1
        last = scalars[index]
        return true
    }

    /// Judges an empty Braille cell: among cells it is a blank like any other; alone it is an empty name.
    private mutating func blank(_ index: String.Index, in scalars: String.UnicodeScalarView) -> Verdict {
        if blanksLeft == 0 {
            let run = scalars[index...].prefix { $0 == "\u{2800}" }
            let after = scalars[run.endIndex...].first
            blanksStay = last.map(ScriptTools.isBraille) == true || after.map(ScriptTools.isBraille) == true
            blanksLeft = run.count
        }
        let (left, stay) = (blanksLeft - 1, blanksStay)
        if stay { begin(scalars[index], isEmoji: false) } else { restart() }
        (blanksLeft, blanksStay) = (left, stay)
        return stay ? .plain : .hidden
    }
}

/// `ScriptTools` knows which invisible characters ordinary text has use for, and after which others. Blocks are those
/// of Blocks.txt, Unicode 16.
///
/// | what | stays after |
/// |---|---|
/// | zero-width joiner | an emoji, before another; a letter or mark of a script whose letters join |
/// | zero-width non-joiner | a letter or mark of a script whose letters join |
/// | zero-width space | a letter or mark of a script without spaces between words |
/// | variation selectors | an emoji, a keycap's digit, a mathematical sign, an ideograph, a letter that has variants |
/// | Mongolian selectors and vowel separator | a Mongolian letter |
private enum ScriptTools {
    /// Returns whether a scalar is what most text is, and what none of the rules is about.
    static func isOrdinary(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xAE...0x2FF, 0xA0...0xAC, 0x370...0x482, 0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3:
            true
        default: false
        }
    }

    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        // Signs that are seen, and stand around the number behind them; hieroglyphs' signs of arrangement.
        switch scalar.value {
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD, 0x13430...0x1343F: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Returns whether a scalar is one of the letters and marks of scripts in which a joiner changes a letter's form:
    /// Arabic and its kin, Mongolian, and those that come from Brahmi.
    static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x620...0xDFF, 0xF00...0x109F, 0x1700...0x18AF, 0x1900...0x1AAF, 0x1B00...0x1C4F, 0x1CD0...0x1CFF: break
        case 0xA800...0xA82F, 0xA840...0xA8FF, 0xA930...0xAADF, 0xAAE0...0xAAFF, 0xABC0...0xABFF, 0xFB50...0xFDFF,
            0xFE70...0xFEFE:
            break
        case 0x10A00...0x10A5F, 0x10AC0...0x10AFF, 0x10B80...0x10BAF, 0x10D00...0x10D3F, 0x10F30...0x10FAF,
            0x11000...0x11FFF, 0x1E900...0x1E95F:
            break
        default: return false
        }
        return isLetterOrMark(scalar)
    }

    /// Returns whether a scalar is of a script without spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, Tai,
    /// Balinese, Javanese.
    static func writesWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE00...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A00...0x1AAF, 0x1B00...0x1B7F, 0xA980...0xA9FF,
            0xAA60...0xAADF:
            true
        default: false
        }
    }

    static func isMongolian(_ scalar: Unicode.Scalar) -> Bool { (0x1820...0x18AA).contains(scalar.value) }

    static func isBraille(_ scalar: Unicode.Scalar) -> Bool { (0x2801...0x28FF).contains(scalar.value) }

    /// Returns whether a scalar is an emoji, but for digits, `#` and `*`: they are emoji too for Unicode, and are not
    /// meant.
    static func isEmoji(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0xFF && scalar.properties.isEmoji }

    /// Returns whether there may be a variant of a character, that the selector behind it asks for.
    static func hasVariants(_ scalar: Unicode.Scalar, _ selector: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool
    {
        switch selector.value {
        case 0xE0100...0xE01EF: return scalar.properties.isIdeographic
        case 0xFE0E...0xFE0F:
            // A keycap: the digit, the selector, the key around it.
            if scalar.isASCII { return scalar.properties.isEmoji && next == "\u{20E3}" }
            return scalar.properties.isEmoji
        default:
            return scalar.properties.isIdeographic || scalar.properties.generalCategory == .mathSymbol || joins(scalar)
                || (0x13000...0x143FF).contains(scalar.value)
        }
    }

    static let flags: [[UInt32]] = ["gbeng", "gbsct", "gbwls"].map { name in
        name.unicodeScalars.map { 0xE0000 + $0.value } + [0xE007F]
    }

    private static func isLetterOrMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .otherLetter, .modifierLetter, .uppercaseLetter, .lowercaseLetter, .nonspacingMark, .spacingMark: true
        default: false
        }
    }
}
