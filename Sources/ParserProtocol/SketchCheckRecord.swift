// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SketchCheckRecord` is what `vault-parse sketch check` answers: whether a file is a sketch in its master form, and
/// how much is in it.
///
/// ```
/// offset  size  field
///      0     1  status       SketchStatus; if it is not 0, this is all
///      1     4  width        UInt32, big-endian; units, 1…32,768
///      5     4  height       UInt32, big-endian; the same
///      9     4  strokeCount  UInt32, big-endian; at most 10,000
///     13     4  pointCount   UInt32, big-endian; at least strokeCount, at most 1,000,000
///     17        end
/// ```
public struct SketchCheckRecord: Sendable, Hashable {
    /// Largest record, in bytes.
    public static let byteCountMax = 17
    public static let sideMax: UInt32 = 32_768
    public static let strokeCountMax: UInt32 = 10_000
    public static let pointCountMax: UInt32 = 1_000_000

    public let status: SketchStatus
    /// All zero unless the status is `ok`.
    public let width: UInt32
    public let height: UInt32
    public let strokeCount: UInt32
    public let pointCount: UInt32

    /// Makes the answer for a file that is refused.
    ///
    /// - Parameter status: why it is not a sketch.
    public init(refused status: SketchStatus) {
        precondition(status != .ok, "a refusal has a reason")
        self.status = status
        (width, height, strokeCount, pointCount) = (0, 0, 0, 0)
    }

    /// Makes the answer for a sketch of these sizes.
    ///
    /// - Throws: `RecordError`: `tooLarge` for a count that no sketch has.
    public init(width: UInt32, height: UInt32, strokeCount: UInt32, pointCount: UInt32) throws(RecordError) {
        guard 1...Self.sideMax ~= width, 1...Self.sideMax ~= height, strokeCount <= Self.strokeCountMax,
            pointCount <= Self.pointCountMax,
            pointCount >= strokeCount, strokeCount > 0 || pointCount == 0
        else { throw RecordError(.tooLarge) }
        status = .ok
        self.width = width
        self.height = height
        self.strokeCount = strokeCount
        self.pointCount = pointCount
    }

    /// Reads an answer of `vault-parse sketch check`.
    ///
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge`, `notCanonical`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        var reader = RecordReader(bytes)
        let status = try reader.sketchStatus()
        guard status == .ok else {
            try reader.end()
            self.init(refused: status)
            return
        }
        let (width, height) = (try reader.u32(), try reader.u32())
        let (strokeCount, pointCount) = (try reader.u32(), try reader.u32())
        try reader.end()
        try self.init(width: width, height: height, strokeCount: strokeCount, pointCount: pointCount)
    }

    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: Self.byteCountMax)
        writer.u8(status.rawValue)
        guard status == .ok else { return writer.bytes }
        for value in [width, height, strokeCount, pointCount] { writer.u32(value) }
        return writer.bytes
    }
}
