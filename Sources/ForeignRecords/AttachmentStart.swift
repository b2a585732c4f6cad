// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The head of an attachment in the stream: `text key | text name | flag + Int64 modified`, then its traits if the
/// record says that it has some.
///
/// Its size is not said: a decoder learns it only at the end, and what a container claims is not believed.
public struct AttachmentStart: Sendable, Hashable {
    /// What notes call it by; each key comes once in a stream, and a second import of the same source says the same.
    public let key: String
    /// A safe name for it when no note gives it one.
    public let name: String
    /// When the file was last changed, in milliseconds since 1970; nil if not known.
    public let modified: Int64?
    /// What the source knows besides; nil from most formats.
    public let traits: AttachmentTraits?

    /// - Throws: `RecordError`, as `AttachmentReference`; `timeOutOfRange`.
    public init(key: String, name: String, modified: Int64?, traits: AttachmentTraits? = nil) throws(RecordError) {
        let checked = try AttachmentReference(name: name, key: key)
        if let modified, !ParsedNote.times.contains(modified) { throw RecordError(.timeOutOfRange) }
        self.key = checked.key
        self.name = checked.name
        self.modified = modified
        self.traits = traits
    }

    init(_ reader: inout RecordReader, hasTraits: Bool) throws(RecordError) {
        let key = try reader.text(max: AttachmentReference.keyByteCountMax)
        let name = try reader.text(max: AttachmentReference.nameByteCountMax)
        let modified = try reader.flag() ? try reader.i64() : nil
        try self.init(key: key, name: name, modified: modified, traits: hasTraits ? try AttachmentTraits(&reader) : nil)
    }

    func write(_ writer: inout RecordWriter) {
        writer.text(key)
        writer.text(name)
        writer.optionalTime(modified)
        traits?.write(&writer)
    }
}
