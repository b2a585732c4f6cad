// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What `vault-parse source` answers: `UInt8 n, n times text format | UInt8 n, n times text format | flag, text
/// program`.
public struct SourceAnswer: Sendable, Equatable {
    public static let byteCountMax = 4096
    static let textByteCountMax = 40
    static let countMax = 16

    /// Formats of ours that it could be.
    public var formats: [String]
    /// Formats of ours as which it would be encrypted.
    public var encrypted: [String]
    /// The program that it is a file of, by the identifier in `ForeignProgram`; nil where none is recognised.
    public var program: String?

    public init(formats: [String] = [], encrypted: [String] = [], program: String? = nil) {
        self.formats = formats
        self.encrypted = encrypted
        self.program = program
    }

    /// - Throws: `RecordError`. Whether a word is one that we know is for its reader to say.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        formats = try Self.texts(&reader)
        encrypted = try Self.texts(&reader)
        program = try reader.optionalText(max: Self.textByteCountMax)
        try reader.end()
    }

    private static func texts(_ reader: inout RecordReader) throws(RecordError) -> [String] {
        let count = Int(try reader.u8())
        guard count <= countMax else { throw RecordError(.tooLarge) }
        var texts: [String] = []
        for _ in 0..<count { texts.append(try reader.text(max: textByteCountMax)) }
        return texts
    }

    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 128)
        for list in [formats, encrypted] {
            writer.u8(UInt8(clamping: list.count))
            for text in list { writer.text(text) }
        }
        writer.optionalText(program)
        return writer.bytes
    }
}
