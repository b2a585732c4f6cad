// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Whole lines of one text that lines of another take the place of: their numbers, from 0, and their bytes.
struct LineChange: Equatable {
    let oldLines: Range<Int>
    let oldBytes: Range<Int>
    let newLines: Range<Int>
    let newBytes: Range<Int>

    /// What turns `old` into `new`; one change from the first line that differs to the last when there are too many to
    /// compare.
    static func all(old: [UInt8], new: [UInt8], by comparison: some TokenComparison) throws(TextMergeError)
        -> [LineChange]
    {
        guard max(old.count, new.count) <= TextMerge.byteCountMax else { throw TextMergeError(.tooLarge) }
        if old == new { return [] }
        let trimmed = CommonEnds(of: [old, new])
        let (oldMiddle, newMiddle) = (trimmed.middle(of: old), trimmed.middle(of: new))
        let firstLine = LineCutter.count(of: old[..<trimmed.prefixByteCount])
        guard let lines = TokenizedTexts(linesOf: [oldMiddle, newMiddle]) else {
            let oldLines = firstLine..<(firstLine + LineCutter.count(of: oldMiddle))
            let newLines = firstLine..<(firstLine + LineCutter.count(of: newMiddle))
            return [
                LineChange(
                    oldLines: oldLines, oldBytes: oldMiddle.indices, newLines: newLines, newBytes: newMiddle.indices)
            ]
        }
        return TokenChange.all(old: lines.numbers[0], new: lines.numbers[1], by: comparison).map { change in
            LineChange(
                oldLines: (firstLine + change.old.lowerBound)..<(firstLine + change.old.upperBound),
                oldBytes: lines.bytes(of: change.old, inText: 0).indices,
                newLines: (firstLine + change.new.lowerBound)..<(firstLine + change.new.upperBound),
                newBytes: lines.bytes(of: change.new, inText: 1).indices)
        }
    }
}
