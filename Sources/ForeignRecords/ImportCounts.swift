// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How much of each kind there is: five UInt64, in the order of the fields.
public struct ImportCounts: Sendable, Hashable {
    public var notes: UInt64 = 0
    public var notebooks: UInt64 = 0
    /// Uses of tags: a note with two tags counts twice.
    public var tags: UInt64 = 0
    public var attachments: UInt64 = 0
    /// Links from note to note.
    public var links: UInt64 = 0

    public init() {}

    init(_ reader: inout RecordReader) throws(RecordError) {
        notes = try reader.u64()
        notebooks = try reader.u64()
        tags = try reader.u64()
        attachments = try reader.u64()
        links = try reader.u64()
    }

    func write(_ writer: inout RecordWriter) {
        for count in [notes, notebooks, tags, attachments, links] { writer.u64(count) }
    }
}
