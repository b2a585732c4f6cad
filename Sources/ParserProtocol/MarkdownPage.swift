// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MarkdownPage` is a note's Markdown on its way to `vault-parse html`: `text name | text nonce | UInt32 count, that
/// many texts references | text body`.
///
/// In the body, the destination of each reference to an attachment is `mark(of: number)`; `references` holds what stood
/// there, for places that turn out to be no links.
public struct MarkdownPage: Sendable, Equatable {
    /// The longest text, in bytes: a note of 16 MiB with its marks.
    public static let bodyByteCountMax = 24 << 20
    public static let byteCountMax = bodyByteCountMax + (8 << 20)
    private static let referenceCountMax = 1 << 16
    private static let referenceByteCountMax = 1024

    /// What the page's own anchors begin with, so that two notes of one page have none in common.
    public let name: String
    /// Begins each mark: letters and digits that the text does not hold, because nobody can foresee them.
    public let nonce: String
    public let references: [String]
    public let body: String

    /// Makes a page; nil when there are more references or bytes than a page may have, or the nonce has other
    /// characters.
    public init?(name: String, nonce: String, references: [String], body: String) {
        let byteCount = references.reduce(0) { $0 + $1.utf8.count + 4 }
        guard name.utf8.count <= 64, body.utf8.count <= Self.bodyByteCountMax, byteCount < 8 << 20, Self.isNonce(nonce),
            references.count <= Self.referenceCountMax,
            references.allSatisfy({ $0.utf8.count <= Self.referenceByteCountMax })
        else { return nil }
        (self.name, self.nonce, self.references, self.body) = (name, nonce, references, body)
    }

    /// Returns a nonce of 128 random bits, from the system.
    public static func newNonce() -> String {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in String(random.next(), radix: 16) }
        return "v" + digits.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }

    private static func isNonce(_ text: String) -> Bool {
        text.utf8.count == 33 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }

    /// Returns the stand-in for a reference in the body: a destination that Markdown leaves as it is, wherever it
    /// stands.
    public static func mark(of number: Int, _ nonce: String) -> String { "\(nonce)n\(number)e" }

    /// Reads a page.
    ///
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        name = try reader.text(max: 64)
        let start = reader.offset
        nonce = try reader.text(max: 64)
        guard Self.isNonce(nonce) else { throw RecordError(.notCanonical, offset: start) }
        let count = Int(try reader.u32())
        guard count <= Self.referenceCountMax else { throw RecordError(.tooLarge, offset: reader.offset) }
        var references: [String] = []
        for _ in 0..<count { references.append(try reader.text(max: Self.referenceByteCountMax)) }
        self.references = references
        body = try reader.text(max: Self.bodyByteCountMax)
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: body.utf8.count + 64)
        writer.text(name)
        writer.text(nonce)
        writer.u32(UInt32(references.count))
        for reference in references { writer.text(reference) }
        writer.text(body)
        return writer.bytes
    }

    /// The longest answer to this page that is read, in bytes: markup may be several times its text, and no more.
    public var answerByteCountMax: Int { (256 << 10) + 16 * body.utf8.count }
}

/// `HTMLPiece` is a part of a rendered page. `vault-parse html` answers with a list: for each part `UInt8 0 | text`, or
/// `UInt8 1 | UInt32 reference | flag isPicture | text label`. No part is empty, and no reference comes twice.
public enum HTMLPiece: Sendable, Equatable {
    case html(String)
    /// The place of an attachment, by the number of its reference, and the words that the text has for it.
    case reference(Int, isPicture: Bool, label: String)

    /// Reads the parts of a rendered page. Each reference may occur once, and no text may be empty.
    ///
    /// - Parameter referenceCount: of the page that was asked for.
    /// - Throws: `RecordError`.
    public static func list(parsing bytes: [UInt8], referenceCount: Int) throws(RecordError) -> [HTMLPiece] {
        var reader = RecordReader(bytes)
        var pieces: [HTMLPiece] = []
        var seen = [Bool](repeating: false, count: referenceCount)
        while reader.remaining > 0 {
            let start = reader.offset
            guard pieces.count <= 2 * referenceCount else { throw RecordError(.tooLarge, offset: start) }
            if try reader.flag() {
                let number = Int(try reader.u32())
                guard number < referenceCount, !seen[number] else { throw RecordError(.notCanonical, offset: start) }
                seen[number] = true
                let isPicture = try reader.flag()
                pieces.append(.reference(number, isPicture: isPicture, label: try reader.text(max: bytes.count)))
            } else {
                let text = try reader.text(max: bytes.count)
                guard !text.isEmpty else { throw RecordError(.notCanonical, offset: start) }
                pieces.append(.html(text))
            }
        }
        return pieces
    }

    public static func encoded(_ pieces: [HTMLPiece]) -> [UInt8] {
        var writer = RecordWriter(reserving: 256)
        for piece in pieces {
            switch piece {
            case .html(let text):
                writer.flag(false)
                writer.text(text)
            case .reference(let number, let isPicture, let label):
                writer.flag(true)
                writer.u32(UInt32(clamping: number))
                writer.flag(isPicture)
                writer.text(label)
            }
        }
        return writer.bytes
    }
}
