// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CoverRecord` is what `vault-parse cover` says of a cover that came from a service: the picture, decoded and written
/// anew as a JPEG. All of standard output is one record; there is no frame around it.
///
/// ```
/// offset  size  field
///      0     1  status  0 a picture, 1 of no kind that is shown, 2 damaged, 3 too large
///            and only with status 0
///      1     2  width   UInt16, big-endian; 1…600
///      3     2  height  UInt16, big-endian; 1…600
///      5        JPEG, to the end
/// ```
public enum CoverRecord: Sendable, Equatable {
    case picture(width: UInt16, height: UInt16, jpeg: [UInt8])
    /// Not a picture, one of a kind that is not shown, or one of so few pixels that it shows nothing.
    case notKnown
    case damaged
    case tooLarge

    /// Longest side, in pixels.
    public static let sideMax = 600
    /// Largest cover that is read, in bytes.
    public static let inputByteCountMax = 5 << 20
    /// Largest record, in bytes: a JPEG of that size has far less.
    public static let byteCountMax = 5 + (2 << 20)
    private static let mark: [UInt8] = [0xFF, 0xD8, 0xFF]

    /// Reads an answer of `vault-parse cover`.
    ///
    /// - Parameter bytes: exactly one record.
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge`, `notCanonical`, `unknownVersion` for another
    ///   status.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        switch try reader.u8() {
        case 0:
            let (width, height) = (try Self.side(&reader), try Self.side(&reader))
            let jpeg = Array(try reader.raw(reader.remaining))
            guard jpeg.starts(with: Self.mark) else { throw RecordError(.notCanonical, offset: 5) }
            self = .picture(width: width, height: height, jpeg: jpeg)
        case 1: self = .notKnown
        case 2: self = .damaged
        case 3: self = .tooLarge
        default: throw RecordError(.unknownVersion, offset: 0)
        }
        try reader.end()
    }

    public var encoded: [UInt8] {
        switch self {
        case .picture(let width, let height, let jpeg):
            var writer = RecordWriter(reserving: 5 + jpeg.count)
            writer.u8(0)
            writer.u16(width)
            writer.u16(height)
            writer.raw(jpeg)
            return writer.bytes
        case .notKnown: return [1]
        case .damaged: return [2]
        case .tooLarge: return [3]
        }
    }

    private static func side(_ reader: inout RecordReader) throws(RecordError) -> UInt16 {
        let at = reader.offset
        let side = try reader.u16()
        guard side > 0 else { throw RecordError(.notCanonical, offset: at) }
        guard side <= sideMax else { throw RecordError(.tooLarge, offset: at) }
        return side
    }
}
