// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SketchDrawingRecord` is what `vault-parse sketch draw pdf|png|jpeg` answers. (`draw pixels` answers as
/// `vault-parse picture` does.)
///
/// ```
/// offset  size  field
///      0     1  status   SketchStatus; if it is not 0, this is all
///      1     1  format   1 PDF, 2 PNG, 3 JPEG
///      2        content  all that is left: the file, 1 byte to 256 MiB, beginning as its format does
/// ```
public struct SketchDrawingRecord: Sendable, Hashable {
    public enum Format: UInt8, Sendable, Hashable, CaseIterable {
        case pdf = 1
        case png = 2
        case jpeg = 3

        fileprivate var magic: [UInt8] {
            switch self {
            case .pdf: Array("%PDF-".utf8)
            case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            case .jpeg: [0xFF, 0xD8, 0xFF]
            }
        }
    }

    /// Largest file, in bytes.
    public static let contentByteCountMax = 256 << 20
    /// Largest record, in bytes.
    public static let byteCountMax = contentByteCountMax + 2

    public let status: SketchStatus
    /// Nil unless the status is `ok`.
    public let format: Format?
    /// Empty unless the status is `ok`.
    public let content: [UInt8]

    /// Makes the answer for a sketch that was not drawn.
    ///
    /// - Parameter status: why nothing was drawn.
    public init(refused status: SketchStatus) {
        precondition(status != .ok, "a refusal has a reason")
        self.status = status
        format = nil
        content = []
    }

    /// Makes the answer that holds a drawing.
    ///
    /// - Throws: `RecordError`: `tooLarge`; `notCanonical` if the content does not begin as its format does.
    public init(format: Format, content: [UInt8]) throws(RecordError) {
        guard content.count <= Self.contentByteCountMax else { throw RecordError(.tooLarge) }
        guard content.starts(with: format.magic) else { throw RecordError(.notCanonical) }
        status = .ok
        self.format = format
        self.content = content
    }

    /// Reads an answer of `vault-parse sketch draw`.
    ///
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge`, `notCanonical`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        let status = try reader.sketchStatus()
        guard status == .ok else {
            try reader.end()
            self.init(refused: status)
            return
        }
        guard let format = Format(rawValue: try reader.u8()) else { throw RecordError(.notCanonical, offset: 1) }
        try self.init(format: format, content: Array(try reader.raw(reader.remaining)))
    }

    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 2 + content.count)
        writer.u8(status.rawValue)
        guard let format else { return writer.bytes }
        writer.u8(format.rawValue)
        writer.raw(content)
        return writer.bytes
    }
}
