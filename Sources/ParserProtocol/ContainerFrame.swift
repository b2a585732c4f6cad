// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ContainerFrame` says what the client sends to `vault-parse archive` and `vault-parse folder`: one frame
/// (`RecordFrame`) for each, its first byte the kind.
///
/// ```
/// kind  content
///    1  UInt16 pathByteCount | path | flag + Int64 modified: a file begins
///    2  1 to 65,536 bytes of it
///    3  flag: whether the file is whole; it ends
///    4  nothing: the container ends. More comes only after `ImportRecord.again`, and then all of it from the beginning
/// ```
/// A folder is sent as its files, in the same order each time; an archive as one file, whose path is its name.
public enum ContainerFrame: Sendable, Equatable {
    public static let byteCountMax = 1 + (64 << 10)
    public static let pieceByteCountMax = 64 << 10

    case fileStart(path: [UInt8], modified: Int64?)
    case fileBytes([UInt8])
    case fileEnd(isWhole: Bool)
    case end

    /// Reads a frame. A path is any 1 to 4096 bytes: whether it is safe is for the caller to say.
    ///
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        guard let kind = bytes.first else { throw RecordError(.truncated) }
        let content = Array(bytes.dropFirst())
        var reader = RecordReader(content)
        switch kind {
        case 1:
            let count = Int(try reader.u16())
            guard count > 0 else { throw RecordError(.badPath, offset: 1) }
            guard count <= ForeignFile.pathByteCountMax else { throw RecordError(.tooLarge, offset: 1) }
            let path = Array(try reader.raw(count))
            self = .fileStart(path: path, modified: try reader.flag() ? try reader.i64() : nil)
        case 2:
            guard !content.isEmpty else { throw RecordError(.truncated) }
            self = .fileBytes(content)
            return
        case 3: self = .fileEnd(isWhole: try reader.flag())
        case 4: self = .end
        default: throw RecordError(.notCanonical, offset: 0)
        }
        try reader.end()
    }

    /// The frame without its length.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 64)
        switch self {
        case .fileStart(let path, let modified):
            writer.u8(1)
            writer.u16(UInt16(clamping: path.count))
            writer.raw(path)
            writer.optionalTime(modified)
        case .fileBytes(let bytes):
            writer.u8(2)
            writer.raw(bytes)
        case .fileEnd(let isWhole):
            writer.u8(3)
            writer.flag(isWhole)
        case .end: writer.u8(4)
        }
        return writer.bytes
    }
}
