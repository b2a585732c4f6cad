// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ArchivePrefix` knows the first bytes of an archive: a header like a vault's, with an identifier and a key of the
/// archive's own; never one of a copy.
///
/// ```
/// "VLA1" | UInt16 byteCount, header
/// ```
/// The sealed stream follows. Spec: docs/format.md §21.
public enum ArchivePrefix {
    public static let magic = Array("VLA1".utf8)
    /// Size of magic and length, in bytes.
    public static let byteCount = 6

    public static func encode(_ header: UnverifiedHeader) -> [UInt8] {
        let bytes = header.encoded
        var writer = ByteWriter()
        writer.raw(magic)
        writer.u16(UInt16(bytes.count))
        writer.raw(bytes)
        return writer.bytes
    }

    /// Reads the first bytes of an archive, and returns the size of the header that follows, in bytes.
    ///
    /// - Throws: `FormatError.badMagic`, `.tooLarge`.
    public static func parse(_ bytes: [UInt8]) throws(FormatError) -> Int {
        var reader = ByteReader(bytes)
        guard try reader.bytes(4) == magic else { throw FormatError(.badMagic, offset: 0) }
        let count = Int(try reader.u16())
        guard count <= UnverifiedHeader.byteCountMax - CopyID.byteCount else { throw FormatError(.tooLarge, offset: 4) }
        try reader.end()
        return count
    }
}
