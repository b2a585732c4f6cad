// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ReadingQuestion` asks `vault-parse reading` for a text in Markdown as rows of a terminal: UInt16 columns, then the
/// text in UTF-8.
public struct ReadingQuestion: Sendable, Equatable {
    /// Longer texts are shown as they are.
    public static let textByteCountMax = 1 << 20
    public static let byteCountMax = 2 + textByteCountMax
    public static let columnCounts = 10...1000

    public let columns: Int
    public let text: String

    /// Nil for what is not asked.
    public init?(columns: Int, text: String) {
        guard Self.columnCounts.contains(columns), text.utf8.count <= Self.textByteCountMax else { return nil }
        (self.columns, self.text) = (columns, text)
    }

    /// Reads a question.
    ///
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        var reader = RecordReader(bytes)
        let columns = Int(try reader.u16())
        let rest = try reader.raw(bytes.count - 2)
        guard let text = String(validating: rest, as: UTF8.self),
            let question = ReadingQuestion(columns: columns, text: text)
        else { throw RecordError(.notCanonical, offset: 0) }
        self = question
    }

    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 2 + text.utf8.count)
        writer.u16(UInt16(columns))
        writer.raw(Array(text.utf8))
        return writer.bytes
    }
}

/// `ReadingRow` is one row of what it answers: pieces of text, each in a style.
///
/// An answer is the rows one after the other: UInt8 1, UInt32 number of pieces, for each UInt8 style, text; at the end
/// UInt8 0.
public struct ReadingRow: Sendable, Equatable {
    public struct Style: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let bold = Style(rawValue: 1)
        public static let dim = Style(rawValue: 2)
        public static let italic = Style(rawValue: 4)
        public static let underline = Style(rawValue: 8)
        public static let code = Style(rawValue: 16)
        public static let struck = Style(rawValue: 32)
        public static let all: Style = [.bold, .dim, .italic, .underline, .code, .struck]
    }

    public struct Piece: Sendable, Equatable {
        public var text: String
        public var style: Style
        public init(_ text: String, _ style: Style = []) { (self.text, self.style) = (text, style) }
    }

    /// An answer, in bytes.
    public static let answerByteCountMax = 32 << 20
    private static let pieceCountMax: UInt32 = 100_000

    public var pieces: [Piece]
    public init(_ pieces: [Piece] = []) { self.pieces = pieces }

    public static func encoded(_ rows: [ReadingRow]) -> [UInt8] {
        var writer = RecordWriter(reserving: rows.count * 64)
        for row in rows {
            writer.u8(1)
            writer.u32(UInt32(row.pieces.count))
            for piece in row.pieces {
                writer.u8(piece.style.rawValue)
                writer.text(piece.text)
            }
        }
        writer.u8(0)
        return writer.bytes
    }

    /// Reads an answer.
    ///
    /// - Throws: `RecordError`.
    public static func parse(_ bytes: [UInt8]) throws(RecordError) -> [ReadingRow] {
        var reader = RecordReader(bytes)
        var rows: [ReadingRow] = []
        while try reader.flag() {
            var row = ReadingRow()
            let count = try reader.u32()
            guard count <= pieceCountMax else { throw RecordError(.tooLarge, offset: reader.offset) }
            for _ in 0..<count {
                let style = try reader.u8()
                guard style & ~Style.all.rawValue == 0 else { throw RecordError(.notCanonical, offset: reader.offset) }
                row.pieces.append(Piece(try reader.text(max: answerByteCountMax), Style(rawValue: style)))
            }
            rows.append(row)
        }
        try reader.end()
        return rows
    }
}
