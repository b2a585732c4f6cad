// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `ForeignFile` is a file of another program, as the client sends it to `vault-parse`: one frame for each.
///
/// ```
/// offset  size  field
///      0     2  pathByteCount  UInt16, big-endian; 1…4096
///      2     n  path           relative to the imported folder, "/" between its parts; any bytes, so perhaps not UTF-8
///    2+n     8  modified       Int64, big-endian: milliseconds since 1970, UTC
///   10+n        content        all that is left
/// ```
/// The path is a label: nobody opens it again. It is checked anyway, because it becomes the note's notebook and
/// key.
public struct ForeignFile: Sendable, Equatable {
    /// Largest frame without its length, in bytes: 16 MiB of content and 64 KiB for the rest.
    public static let byteCountMax = 16 << 20 + 64 << 10
    public static let pathByteCountMax = 4096

    public let path: [UInt8]
    /// When the file was last changed, in milliseconds since 1970.
    public let modified: Int64
    public let content: [UInt8]

    /// Makes the record of a file, and checks its path and size.
    ///
    /// - Parameters:
    ///   - path: relative, 1 to 4096 bytes, no empty, "." or ".." part, no NUL.
    ///   - content: such that the whole is at most `byteCountMax`.
    /// - Throws: `RecordError`: `badPath`, `tooLarge`.
    public init(path: [UInt8], modified: Int64, content: [UInt8]) throws(RecordError) {
        guard path.count <= Self.pathByteCountMax, 10 + path.count + content.count <= Self.byteCountMax else {
            throw RecordError(.tooLarge)
        }
        guard Self.isRelative(path) else { throw RecordError(.badPath) }
        self.path = path
        self.modified = modified
        self.content = content
        guard sourceKey.utf8.count <= ParsedNote.sourceKeyByteCountMax else { throw RecordError(.tooLarge) }
    }

    /// Reads the record of a file.
    ///
    /// - Parameter bytes: a frame without its length.
    /// - Throws: `RecordError`: `truncated`, `tooLarge`, `badPath`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        let path = Array(try reader.raw(Int(try reader.u16())))
        let modified = try reader.i64()
        try self.init(path: path, modified: modified, content: Array(try reader.raw(reader.remaining)))
    }

    /// The frame without its length; `RecordFrame.enclosing(_:)` puts that before it.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 10 + path.count + content.count)
        writer.u16(UInt16(clamping: path.count))
        writer.raw(path)
        writer.i64(modified)
        writer.raw(content)
        return writer.bytes
    }

    private static func isRelative(_ path: [UInt8]) -> Bool {
        guard !path.contains(0) else { return false }
        return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        }
    }
}

extension ForeignFile {
    /// The key by which a second import recognizes this file: two files of one folder never share it.
    ///
    /// It is the path, if that is UTF-8. If not, it is "/", then the path with each byte that is "%", a control
    /// character or not ASCII as "%" and two hexadecimal digits: a relative path never begins with "/", so the forms do
    /// not meet.
    public var sourceKey: String {
        if let text = String(validating: path, as: UTF8.self) { return text }
        var key = "/"
        for byte in path {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
                key.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                key += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return key
    }
}
