// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AgeArmor` is the text form of an age file: PEM of RFC 7468 §3 in its strict form.
///
/// Spec: c2sp.org/age, "ASCII armor".
enum AgeArmor {
    static let begin = Array("-----BEGIN AGE ENCRYPTED FILE-----".utf8)
    static let end = Array("-----END AGE ENCRYPTED FILE-----".utf8)
    /// Characters of a full line, and the bytes in it.
    static let lineByteCount = 64
    static let lineContentByteCount = 48
    /// White space that may stand before and after, in bytes.
    fileprivate static let spaceByteCountMax = 1024

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}

/// `ArmorReader` reads armor as the bytes in it, line by line.
///
/// Taken: white space before and after, LF or CRLF (one of them throughout), and no end of line after the last dash.
/// Everything else that a lenient reader lets pass (headers, short or long lines, other padding, a checksum) would be a
/// second text for the same file.
final class ArmorReader: AgeInput {
    private let input: BufferedInput
    /// As it was read, with its end.
    private var text: [UInt8] = []
    /// What the line stands for.
    private var line: [UInt8] = []
    private var taken = 0
    private var hasBegun = false
    private var hasEnded = false
    /// A line that is not full is the last one.
    private var isLastLine = false
    private var hasReturns = false

    init(_ input: BufferedInput) { self.input = input }

    func byte() throws(AgeError) -> UInt8? {
        while taken == line.count {
            guard try nextLine() else { return nil }
        }
        defer { taken += 1 }
        return line[taken]
    }

    func read(into target: UnsafeMutableRawBufferPointer) throws(AgeError) -> Int {
        var done = 0
        while done < target.count {
            if taken == line.count {
                guard try nextLine() else { break }
                continue
            }
            let count = min(line.count - taken, target.count - done)
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[done...]).copyBytes(from: line[taken..<taken + count])
            taken += count
            done += count
        }
        return done
    }

    /// Decodes the next line; false after the end line, when nothing but white space follows it.
    private func nextLine() throws(AgeError) -> Bool {
        guard !hasEnded else { return false }
        if !hasBegun { try begin() }
        let isWhole = try input.takeLine(&text, limit: AgeArmor.lineByteCount + 2)
        if text.first == AgeArmor.end.first {
            try end()
            return false
        }
        guard isWhole, hasReturn == hasReturns, !isLastLine else { throw damage }
        guard let bytes = AgeBase64.decodePadded(text.dropLast(hasReturns ? 2 : 1)) else { throw damage }
        guard !bytes.isEmpty, bytes.count <= AgeArmor.lineContentByteCount else { throw damage }
        isLastLine = bytes.count < AgeArmor.lineContentByteCount
        line = bytes
        taken = 0
        return true
    }

    /// Reads the first line, which says how all lines end.
    private func begin() throws(AgeError) {
        try skipSpace(after: 0)
        guard try input.takeLine(&text, limit: AgeArmor.begin.count + 2) else { throw damage }
        hasReturns = hasReturn
        guard text.dropLast(hasReturns ? 2 : 1) == AgeArmor.begin[...] else { throw damage }
        hasBegun = true
    }

    /// Checks the last line, and that only white space follows it: it may have no line end of its own.
    private func end() throws(AgeError) {
        let space = text.dropFirst(AgeArmor.end.count)
        guard text.starts(with: AgeArmor.end), space.allSatisfy({ AgeArmor.isSpace($0) }) else { throw damage }
        try skipSpace(after: space.count)
        guard try input.peek() == nil else { throw damage }
        hasEnded = true
    }

    private var hasReturn: Bool { text.dropLast().last == UInt8(ascii: "\r") }

    private func skipSpace(after begun: Int) throws(AgeError) {
        var count = begun
        while let byte = try input.peek(), AgeArmor.isSpace(byte) {
            count += 1
            guard count <= AgeArmor.spaceByteCountMax else { throw damage }
            _ = try input.byte()
        }
    }

    private var damage: AgeError { AgeError(.damaged, in: .armor) }
}

/// `ArmorWriter` turns bytes into lines of armor as they come.
struct ArmorWriter {
    /// Less than a line, until more comes or the file ends.
    private var held: [UInt8] = []
    private var hasBegun = false

    /// Returns the text of all full lines that there are now.
    mutating func text(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text = start()
        text.reserveCapacity(bytes.count / 3 * 4 + bytes.count / 32 + 256)
        unsafe held.append(contentsOf: bytes)
        let full = held.count / AgeArmor.lineContentByteCount * AgeArmor.lineContentByteCount
        for begin in stride(from: 0, to: full, by: AgeArmor.lineContentByteCount) {
            AgeBase64.encode(held[begin..<begin + AgeArmor.lineContentByteCount], padded: true, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        held.removeSubrange(..<full)
        return text
    }

    /// Returns the last line and the end; no empty line when the last one was full.
    mutating func finish() -> [UInt8] {
        var text = start()
        if !held.isEmpty {
            AgeBase64.encode(held[...], padded: true, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        held = []
        return text + AgeArmor.end + [UInt8(ascii: "\n")]
    }

    private mutating func start() -> [UInt8] {
        defer { hasBegun = true }
        return hasBegun ? [] : AgeArmor.begin + [UInt8(ascii: "\n")]
    }
}
