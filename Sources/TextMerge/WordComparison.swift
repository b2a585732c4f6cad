// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Compares changed lines by words, as long as its allowances last.
struct WordComparison {
    /// Words and spaces that may still be looked at; equal ones at both ends cost little.
    private var cutLeft = 1 << 20
    /// Those that the library may still compare.
    private var comparedLeft = TokenizedTexts.comparedCountMax

    private let comparison: any TokenComparison

    init(by comparison: any TokenComparison) { self.comparison = comparison }

    mutating func compare(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>, into pieces: inout PieceList) {
        let limit = cutLeft
        guard !old.isEmpty, !new.isEmpty,
            let words = TokenizedTexts([old, new], cut: { WordCutter.ends(of: $0, atMost: limit) })
        else {
            pieces.append(.removed, old)
            pieces.append(.added, new)
            return
        }
        cutLeft -= words.numbers.map { $0.count }.max() ?? 0
        var position = 0
        for change in changes(words.numbers[0], words.numbers[1]) {
            pieces.append(.same, words.bytes(of: position..<change.old.lowerBound, inText: 0))
            pieces.append(.removed, words.bytes(of: change.old, inText: 0))
            pieces.append(.added, words.bytes(of: change.new, inText: 1))
            position = change.old.upperBound
        }
        pieces.append(.same, words.bytes(of: position..<words.numbers[0].count, inText: 0))
    }

    private mutating func changes(_ old: [UInt32], _ new: [UInt32]) -> [TokenChange] {
        var (prefix, suffix) = (0, 0)
        let shorter = min(old.count, new.count)
        while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
        while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
        let middle = TokenChange(old: prefix..<(old.count - suffix), new: prefix..<(new.count - suffix))
        let cost = max(middle.old.count, middle.new.count)
        guard cost <= comparedLeft else { return [middle] }
        comparedLeft -= cost
        return TokenChange.all(old: Array(old[middle.old]), new: Array(new[middle.new]), by: comparison)
            .map { $0.moved(by: prefix) }
    }
}
