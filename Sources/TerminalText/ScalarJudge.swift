// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Says of each scalar of a text, in its order, whether a terminal may get it.
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

    static let markCountMax = 6
    /// A family of four has three.
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

    /// After a line's end nothing stands before.
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

    /// A joiner, a variation selector or a zero-width space stays where it does its work.
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

    /// A character that takes columns. A skin's colour is one, and belongs to the emoji before it.
    private mutating func begin(_ scalar: Unicode.Scalar, isEmoji: Bool) {
        if last != "\u{200D}" { joinCount = 0 }
        markCount = 0
        self.isEmoji = isEmoji
        last = scalar
    }

    /// The flags of England, Scotland and Wales are the only tag sequences in use (Unicode, emoji-sequences.txt).
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

    /// An empty Braille cell is a blank like any other among cells; alone it is an empty name.
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
