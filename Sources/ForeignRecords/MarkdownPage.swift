// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A note's Markdown on its way to `vault-parse html`: `text name | UInt32 count, that many texts references | text body`.
///
/// In the body, the destination of each reference to an attachment is `MarkdownPage.mark(of: number)`; `references` holds
/// what stood there, for places that turn out to be no links.
public struct MarkdownPage: Sendable, Equatable {
    /// The longest text, in bytes: a note of 16 MiB with its marks.
    public static let bodyByteCountMax = 24 << 20
    public static let byteCountMax = bodyByteCountMax + (8 << 20)
    private static let referenceCountMax = 1 << 16
    private static let referenceByteCountMax = 1024

    /// What the page's own anchors begin with, so that two notes of one page have none in common.
    public let name: String
    public let references: [String]
    public let body: String

    /// - Returns: nil when there are more references or bytes than a page may have.
    public init?(name: String, references: [String], body: String) {
        let byteCount = references.reduce(0) { $0 + $1.utf8.count + 4 }
        guard name.utf8.count <= 64, body.utf8.count <= Self.bodyByteCountMax, byteCount < 8 << 20,
            references.count <= Self.referenceCountMax, references.allSatisfy({ $0.utf8.count <= Self.referenceByteCountMax })
        else { return nil }
        (self.name, self.references, self.body) = (name, references, body)
    }

    /// Begins a mark. No text holds it: a body's control characters are made visible before it is rendered.
    public static let markByte: UInt8 = 2

    /// What stands for a reference in the body: a destination that Markdown reads as one.
    public static func mark(of number: Int) -> [UInt8] { [UInt8(ascii: "<"), markByte] + Array(String(number).utf8) + [UInt8(ascii: ">")] }

    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        name = try reader.text(max: 64)
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
        writer.u32(UInt32(references.count))
        for reference in references { writer.text(reference) }
        writer.text(body)
        return writer.bytes
    }
}

/// A part of a rendered page. `vault-parse html` answers with a list: for each part `UInt8 0 | text`, or
/// `UInt8 1 | UInt32 reference | flag isPicture | text label`.
public enum HTMLPiece: Sendable, Equatable {
    /// The longest answer, in bytes.
    public static let listByteCountMax = 128 << 20

    case html(String)
    /// The place of an attachment, by the number of its reference, and the words that the text has for it.
    case reference(Int, isPicture: Bool, label: String)

    /// - Throws: `RecordError`.
    public static func list(parsing bytes: [UInt8]) throws(RecordError) -> [HTMLPiece] {
        var reader = RecordReader(bytes)
        var pieces: [HTMLPiece] = []
        while reader.remaining > 0 {
            if try reader.flag() {
                let number = Int(try reader.u32())
                let isPicture = try reader.flag()
                pieces.append(.reference(number, isPicture: isPicture, label: try reader.text(max: listByteCountMax)))
            } else {
                pieces.append(.html(try reader.text(max: listByteCountMax)))
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
