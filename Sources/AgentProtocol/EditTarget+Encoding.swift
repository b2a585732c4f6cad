// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

extension EditTarget {
    private enum Kind: UInt8 { case note = 1, new, template, daily, draft, heads }

    func encode(to writer: inout ByteWriter) {
        func begin(_ kind: Kind) { writer.u8(kind.rawValue) }
        switch self {
        case .note(let ref):
            begin(.note)
            writer.text(ref)
        case .new(let note):
            begin(.new)
            note.encode(to: &writer)
        case .template(let name):
            begin(.template)
            writer.text(name)
        case .daily(let day):
            begin(.daily)
            day.encode(to: &writer)
        case .draft(let ref):
            begin(.draft)
            writer.text(ref)
        case .heads(let ref):
            begin(.heads)
            writer.text(ref)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self =
            switch kind {
            case .note: .note(ref: try reader.text(max: Request.refMax))
            case .new: .new(try NewNote(from: &reader))
            case .template: .template(name: try reader.text(max: Request.refMax))
            case .daily: .daily(try DailyNote(from: &reader))
            case .draft: .draft(ref: try reader.text(max: Request.refMax))
            case .heads: .heads(ref: try reader.text(max: Request.refMax))
            }
    }
}

extension DailyNote {
    func encode(to writer: inout ByteWriter) {
        writer.text(date)
        writer.text(notebook)
        writer.text(template)
    }
    init(from reader: inout ByteReader) throws(FormatError) {
        date = try reader.text(max: 64)
        notebook = try reader.text(max: 4096)
        template = try reader.text(max: 4096)
    }
}
