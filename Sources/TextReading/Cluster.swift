// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// `Cluster` is one grapheme cluster of a text, cheap where it is one ASCII byte.
public enum Cluster {
    case ascii(UInt8)
    case other(Character)

    /// Returns the cluster that starts at `index`, a cluster's start; moves `index` behind it. Nil at the end.
    ///
    /// A byte below 128 that another follows is a cluster of its own, but for a carriage return (UAX #29, GB3).
    public static func next(in text: String, at index: inout String.Index) -> Cluster? {
        guard index < text.endIndex else { return nil }
        let byte = text.utf8[index]
        let after = text.utf8.index(after: index)
        if byte < 0x80, byte != 0x0D, after == text.endIndex || text.utf8[after] < 0x80 {
            index = after
            return .ascii(byte)
        }
        let character = text[index]
        index = text.index(after: index)
        return .other(character)
    }

    public var isWhitespace: Bool {
        switch self {
        case .ascii(let byte): byte == 0x20 || byte &- 9 < 5
        case .other(let character): character.isWhitespace
        }
    }

    public var isNewline: Bool {
        switch self {
        case .ascii(let byte): byte &- 0x0A < 4
        case .other(let character): character.isNewline
        }
    }

    public var byteCount: Int {
        switch self {
        case .ascii: 1
        case .other(let character): character.utf8.count
        }
    }

    public var columns: Int {
        switch self {
        case .ascii(let byte): byte >= 0x20 && byte != 0x7F ? 1 : 0
        case .other(let character): CharacterWidth.columns(of: character)
        }
    }
}
