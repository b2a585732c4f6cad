// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The head of an attachment in the stream: `text key | text name | flag + Int64 modified`.
///
/// Its size is not said: a decoder learns it only at the end, and what a container claims is not believed.
public struct AttachmentStart: Sendable, Hashable {
    /// What notes call it by; each key comes once in a stream, and a second import of the same source says the same.
    public let key: String
    /// A safe name for it when no note gives it one.
    public let name: String
    /// When the file was last changed, in milliseconds since 1970; nil if not known.
    public let modified: Int64?

    /// - Throws: `RecordError`, as `AttachmentReference`; `timeOutOfRange`.
    public init(key: String, name: String, modified: Int64?) throws(RecordError) {
        let checked = try AttachmentReference(name: name, key: key)
        if let modified, !ParsedNote.times.contains(modified) { throw RecordError(.timeOutOfRange) }
        self.key = checked.key
        self.name = checked.name
        self.modified = modified
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        let key = try reader.text(max: AttachmentReference.keyByteCountMax)
        let name = try reader.text(max: AttachmentReference.nameByteCountMax)
        try self.init(key: key, name: name, modified: try reader.flag() ? try reader.i64() : nil)
    }

    func write(_ writer: inout RecordWriter) {
        writer.text(key)
        writer.text(name)
        writer.optionalTime(modified)
    }
}
