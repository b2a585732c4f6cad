// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ParsedNote {
    mutating func readExtras(_ reader: inout RecordReader) throws(RecordError) {
        let start = reader.offset
        let bits = try reader.u8()
        guard bits & ~Flags.known == 0 else { throw RecordError(.notCanonical, offset: start) }
        flags = Flags(rawValue: bits)
        attachments = try Self.attachments(&reader)
        links = try Self.links(&reader)
        guard reader.offset - start <= Self.extrasByteCountMax else { throw RecordError(.tooLarge, offset: start) }
        // Without any it would be a version 1.
        guard hasExtras else { throw RecordError(.notCanonical, offset: start) }
    }

    func writeExtras(_ writer: inout RecordWriter) {
        writer.u8(flags.rawValue)
        writer.u16(UInt16(clamping: attachments.count))
        for attachment in attachments {
            writer.text(attachment.name)
            writer.text(attachment.key)
        }
        writer.u16(UInt16(clamping: links.count))
        for link in links {
            writer.text(link.target)
            writer.text(link.sourceKey)
        }
    }

    /// Bytes that attachments and links take in the record, with flags and counts.
    public var extrasByteCount: Int {
        attachments.reduce(5) { $0 + $1.encodedByteCount } + links.reduce(0) { $0 + $1.encodedByteCount }
    }

    private static func attachments(_ reader: inout RecordReader) throws(RecordError) -> [AttachmentReference] {
        var list: [AttachmentReference] = []
        var known: Set<String> = []
        for _ in 0..<Int(try reader.u16()) {
            let at = reader.offset
            let name = try reader.text(max: AttachmentReference.nameByteCountMax)
            list.append(
                try AttachmentReference(name: name, key: try reader.text(max: AttachmentReference.keyByteCountMax)))
            guard known.insert(name.lowercased()).inserted else { throw RecordError(.notCanonical, offset: at) }
        }
        return list
    }

    private static func links(_ reader: inout RecordReader) throws(RecordError) -> [NoteReference] {
        var list: [NoteReference] = []
        var known: Set<String> = []
        for _ in 0..<Int(try reader.u16()) {
            let at = reader.offset
            let target = try reader.text(max: NoteReference.targetByteCountMax)
            list.append(
                try NoteReference(target: target, sourceKey: try reader.text(max: NoteReference.sourceKeyByteCountMax)))
            guard known.insert(target).inserted else { throw RecordError(.notCanonical, offset: at) }
        }
        return list
    }
}
