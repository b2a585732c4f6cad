// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// What a private draft's wrapped key holds besides the key, written down a second time: no other part of the format
/// has it.
///
/// ```
/// byte string wrapped key | byte string sealed fields           fields = flag + text title | text notebook | UInt32 count, text tag…
/// ```
/// Spec: docs/format.md §18.
struct DraftParts {
    private static let wrappedByteCountMax = 256
    private static let fieldsByteCountMax = 2 << 20
    private static let textByteCountMax = 4096
    private static let tagCountMax = 256

    let title: String?
    let notebook: String
    private(set) var tags: [String] = []

    init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        title = try reader.flag() ? try reader.text(max: Self.textByteCountMax) : nil
        notebook = try reader.text(max: Self.textByteCountMax)
        let count = try reader.u32()
        guard count <= Self.tagCountMax else { throw FormatError(.tooLarge, offset: reader.offset - 4) }
        for _ in 0..<count { tags.append(try reader.text(max: Self.textByteCountMax)) }
        try reader.end()
    }

    static func split(_ bytes: [UInt8]) throws(FormatError) -> (wrapped: [UInt8], fields: [UInt8]) {
        var reader = ByteReader(bytes)
        let wrapped = try reader.lengthPrefixed(max: wrappedByteCountMax)
        let fields = try reader.lengthPrefixed(max: fieldsByteCountMax)
        try reader.end()
        return (wrapped, fields)
    }

    static func join(_ wrapped: [UInt8], _ fields: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.lengthPrefixed(wrapped)
        writer.lengthPrefixed(fields)
        return writer.bytes
    }
}
