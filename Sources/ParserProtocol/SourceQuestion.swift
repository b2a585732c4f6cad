// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SourceQuestion` is what `vault-parse source` is asked: what is this file or folder an export of?
///
/// ```
/// flag isFolder | UInt16 n, name | UInt32 n, head | UInt32 n, tail | UInt16 n, then n times: UInt16 n, path
/// | UInt8 n, then n times: UInt16 n, path; UInt16 n, head
/// ```
/// Of a file its name, its beginning and, if it is longer than that, its end; of a folder paths in it and the
/// beginnings of a few files. The caps below hold for what is made and for what is read.
public struct SourceQuestion: Sendable, Equatable {
    /// `Sample` is the beginning of a file in the folder.
    public struct Sample: Sendable, Equatable {
        public let path: [UInt8]
        public let head: [UInt8]

        public init(path: [UInt8], head: [UInt8]) {
            self.path = Array(path.prefix(ForeignFile.pathByteCountMax))
            self.head = Array(head.prefix(sampleByteCountMax))
        }
    }

    public static let headByteCountMax = 64 << 10
    /// Of a zip archive's list of members, which stands at its end.
    public static let tailByteCountMax = 64 << 10
    public static let nameCountMax = 8192
    public static let namesByteCountMax = 512 << 10
    public static let sampleCountMax = 16
    public static let sampleByteCountMax = 4096
    public static let byteCountMax = 1 << 20

    public let isFolder: Bool
    public let name: [UInt8]
    public let head: [UInt8]
    public let tail: [UInt8]
    public let names: [[UInt8]]
    public let samples: [Sample]

    /// Asks about a file. What is beyond the caps is cut off.
    public init(file name: [UInt8], head: [UInt8], tail: [UInt8]) {
        isFolder = false
        self.name = Array(name.prefix(ForeignFile.pathByteCountMax))
        self.head = Array(head.prefix(Self.headByteCountMax))
        self.tail = Array(tail.suffix(Self.tailByteCountMax))
        (names, samples) = ([], [])
    }

    /// Asks about a folder. What is beyond the caps is left out.
    public init(folder name: [UInt8], names: [[UInt8]], samples: [Sample]) {
        isFolder = true
        self.name = Array(name.prefix(ForeignFile.pathByteCountMax))
        (head, tail) = ([], [])
        var room = Self.namesByteCountMax
        self.names = Array(
            names.prefix(Self.nameCountMax).prefix { name in
                room -= name.count
                return name.count <= ForeignFile.pathByteCountMax && room >= 0
            })
        self.samples = Array(samples.prefix(Self.sampleCountMax))
    }

    /// Reads a question.
    ///
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        isFolder = try reader.flag()
        name = try Self.piece(&reader, Int(try reader.u16()), max: ForeignFile.pathByteCountMax)
        head = try Self.piece(&reader, Int(try reader.u32()), max: Self.headByteCountMax)
        tail = try Self.piece(&reader, Int(try reader.u32()), max: Self.tailByteCountMax)
        var names: [[UInt8]] = []
        for _ in 0..<(try reader.u16()) {
            guard names.count < Self.nameCountMax else { throw RecordError(.tooLarge) }
            names.append(try Self.piece(&reader, Int(try reader.u16()), max: ForeignFile.pathByteCountMax))
        }
        self.names = names
        var samples: [Sample] = []
        for _ in 0..<(try reader.u8()) {
            guard samples.count < Self.sampleCountMax else { throw RecordError(.tooLarge) }
            let path = try Self.piece(&reader, Int(try reader.u16()), max: ForeignFile.pathByteCountMax)
            samples.append(
                Sample(path: path, head: try Self.piece(&reader, Int(try reader.u16()), max: Self.sampleByteCountMax)))
        }
        self.samples = samples
        try reader.end()
    }

    private static func piece(_ reader: inout RecordReader, _ count: Int, max: Int) throws(RecordError) -> [UInt8] {
        guard count <= max else { throw RecordError(.tooLarge) }
        return Array(try reader.raw(count))
    }

    /// The record without its length.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: head.count + tail.count + 64)
        writer.flag(isFolder)
        writer.u16(UInt16(clamping: name.count))
        writer.raw(name)
        for part in [head, tail] {
            writer.u32(UInt32(clamping: part.count))
            writer.raw(part)
        }
        writer.u16(UInt16(clamping: names.count))
        for name in names { Self.write(name, &writer) }
        writer.u8(UInt8(clamping: samples.count))
        for sample in samples {
            Self.write(sample.path, &writer)
            Self.write(sample.head, &writer)
        }
        return writer.bytes
    }

    private static func write(_ part: [UInt8], _ writer: inout RecordWriter) {
        writer.u16(UInt16(clamping: part.count))
        writer.raw(part)
    }
}

/// `SourceAnswer` is what `vault-parse source` answers: `UInt8 n, n times text format | UInt8 n, n times text format |
/// flag, text program`.
public struct SourceAnswer: Sendable, Equatable {
    public static let byteCountMax = 4096
    private static let textByteCountMax = 40
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

    /// Reads an answer. Whether its words are formats that we know is for the caller to say.
    ///
    /// - Throws: `RecordError`.
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
