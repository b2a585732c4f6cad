// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One line of a merge's result.
public enum MergeElement: Equatable, Sendable {
    case token(UInt32)
    /// A conflict begins with our side.
    case ours
    /// Their side of the conflict begins.
    case theirs
    case end

    /// Whether these are tokens of the texts that were merged, with conflicts that begin, part and end in this order.
    static func fit(_ merged: [MergeElement], tokenCount: Int) -> Bool {
        var expected: MergeElement = .ours
        for element in merged {
            switch element {
            case .token(let number): if number >= tokenCount { return false }
            case .ours, .theirs, .end:
                guard element == expected else { return false }
                expected = element == .ours ? .theirs : element == .theirs ? .end : .ours
            }
        }
        return expected == .ours
    }
}
