// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RecordFrame` says how `ForeignFile` and `ParsedNote` travel through a pipe: UInt32 big-endian length of the rest,
/// then the rest.
///
/// There is no other framing: the end of the input is the end of the work.
public enum RecordFrame {
    /// Bytes before the content.
    public static let headerByteCount = 4

    /// Returns the content with its length before it.
    ///
    /// - Parameter content: at most 4 GiB; the callers' caps are far below.
    public static func enclosing(_ content: [UInt8]) -> [UInt8] {
        precondition(content.count <= Int(UInt32.max), "a frame's content is at most 4 GiB")
        var writer = RecordWriter(reserving: headerByteCount + content.count)
        writer.u32(UInt32(content.count))
        writer.raw(content)
        return writer.bytes
    }

    /// Returns how many bytes follow a header.
    ///
    /// - Parameters:
    ///   - header: exactly 4 bytes.
    ///   - max: the cap: `ForeignFile.byteCountMax` or `ParsedNote.byteCountMax`.
    /// - Throws: `RecordError`: `truncated` if there are not four bytes, `tooLarge` above the cap.
    public static func contentByteCount(header: [UInt8], max: Int) throws(RecordError) -> Int {
        var reader = RecordReader(header)
        let count = Int(try reader.u32())
        try reader.end()
        guard count <= max else { throw RecordError(.tooLarge, offset: 0) }
        return count
    }
}
