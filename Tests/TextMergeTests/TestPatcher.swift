// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Applies a unified diff, strictly: each line must stand where the diff says. For tests of what `LineDiff` writes.
struct TestPatcher {
    struct Refusal: Error { let line: Int }

    static func apply(_ diff: [UInt8], to old: [UInt8]) throws -> [UInt8] {
        let source = TestTexts.lines(old)
        var lines = TestTexts.lines(diff)
        guard !lines.isEmpty else { return old }
        guard lines.count > 2, lines[0].starts(with: bytes("--- ")), lines[1].starts(with: bytes("+++ ")) else {
            throw Refusal(line: 0)
        }
        lines.removeFirst(2)
        var patcher = TestPatcher(source: source)
        for index in lines.indices {
            let noEnd = index + 1 < lines.count && lines[index + 1].first == UInt8(ascii: "\\")
            guard patcher.take(lines[index], withoutEnd: noEnd) else { throw Refusal(line: index) }
        }
        guard patcher.finishHunk() else { throw Refusal(line: lines.count) }
        return (patcher.result + source[patcher.position...]).flatMap { $0 }
    }

    private let source: [[UInt8]]
    private var position = 0
    private var result: [[UInt8]] = []
    private var (oldLeft, newLeft) = (0, 0)

    private init(source: [[UInt8]]) { self.source = source }

    private mutating func take(_ line: [UInt8], withoutEnd: Bool) -> Bool {
        let content = Array(line.dropFirst().dropLast(withoutEnd ? 1 : 0))
        switch line.first {
        case UInt8(ascii: "@"): return finishHunk() && beginHunk(String(decoding: line, as: UTF8.self))
        case UInt8(ascii: "\\"): return true
        case UInt8(ascii: "+"):
            result.append(content)
            newLeft -= 1
            return true
        case UInt8(ascii: " "), UInt8(ascii: "-"):
            guard position < source.count, source[position] == content else { return false }
            position += 1
            oldLeft -= 1
            guard line.first == UInt8(ascii: " ") else { return true }
            result.append(content)
            newLeft -= 1
            return true
        default: return false
        }
    }

    private func finishHunk() -> Bool { oldLeft == 0 && newLeft == 0 }

    private mutating func beginHunk(_ header: String) -> Bool {
        let spans = header.split(separator: " ").dropFirst().prefix(2).map {
            $0.dropFirst().split(separator: ",").compactMap { Int($0) }
        }
        guard spans.count == 2, let oldStart = spans[0].first, let newStart = spans[1].first else { return false }
        (oldLeft, newLeft) = (spans[0].count > 1 ? spans[0][1] : 1, spans[1].count > 1 ? spans[1][1] : 1)
        let start = oldLeft == 0 ? oldStart : oldStart - 1
        guard start >= position, start <= source.count else { return false }
        result += source[position..<start]
        position = start
        return result.count == (newLeft == 0 ? newStart : newStart - 1)
    }
}
