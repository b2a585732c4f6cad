// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Texts for tests: readable where small, reproducible where random.
struct TestTexts {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func number(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int((state >> 11) % UInt64(limit))
    }

    /// Few kinds of lines, so that they repeat; some without an end, with CRLF, NUL or bytes that are not UTF-8.
    mutating func text(lineCountMax: Int) -> [UInt8] {
        let kinds = ["a\n", "b\n", "c\r\n", "\n", "two words\n", "two  words\n", "- x\n", "日本語\n", "é, e\u{301}\n"].map
        { Array($0.utf8) }
        var text: [UInt8] = []
        for _ in 0..<number(below: lineCountMax + 1) {
            switch number(below: 24) {
            case 0: text += [0x00, 0x0A]
            case 1: text += [0xFF, 0xE3, 0x81, 0x0A]
            case let kind: text += kinds[kind % kinds.count]
            }
        }
        if number(below: 3) == 0, text.last == 0x0A { text.removeLast() }
        return text
    }

    /// A few lines of a text replaced, removed or put in.
    mutating func edited(_ text: [UInt8]) -> [UInt8] {
        var lines = Self.lines(text)
        for _ in 0..<(1 + number(below: 3)) {
            let place = number(below: lines.count + 1)
            let end = min(lines.count, place + number(below: 3))
            lines.replaceSubrange(place..<end, with: Self.lines(self.text(lineCountMax: 2)))
        }
        // Only the last line may lack its end.
        for index in lines.indices.dropLast() where lines[index].last != 0x0A { lines[index].append(0x0A) }
        return lines.flatMap { $0 }
    }

    static func lines(_ text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        for byte in text {
            lines[lines.count - 1].append(byte)
            if byte == 0x0A { lines.append([]) }
        }
        if lines.last == [] { lines.removeLast() }
        return lines
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
