// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Requests that put notes in order. Spec: docs/agent-protocol.md §3.
public enum Order: Sendable, Equatable {
    case modify(refs: [String], FieldChange)
    case duplicate(ref: String)
    /// Adds the texts of all others to the first.
    case join(refs: [String])
    case tags
    case renameTag(from: [String], to: String)
    case notebooks
    case renameNotebook(from: String, to: String)
    /// Takes a notebook's notes out of it, or to the trash with it.
    case removeNotebook(name: String, withNotes: Bool)
}

/// One change of fields, the same for all notes named.
public enum FieldChange: Sendable, Equatable {
    /// Nil takes away a title that was set.
    case title(String?)
    case tag([String])
    case untag([String])
    case notebook(String)
    case pinned(Bool)
    case archived(Bool)
}

extension Order {
    private enum Operation: UInt8 { case modify = 1, duplicate, join, tags, renameTag, notebooks, renameNotebook, removeNotebook }

    func encode(to writer: inout ByteWriter) {
        func begin(_ operation: Operation) { writer.u8(operation.rawValue) }
        switch self {
        case .modify(let refs, let change):
            begin(.modify)
            writer.texts(refs)
            change.encode(to: &writer)
        case .duplicate(let ref):
            begin(.duplicate)
            writer.text(ref)
        case .join(let refs):
            begin(.join)
            writer.texts(refs)
        case .tags: begin(.tags)
        case .renameTag(let from, let to):
            begin(.renameTag)
            writer.texts(from)
            writer.text(to)
        case .notebooks: begin(.notebooks)
        case .renameNotebook(let from, let to):
            begin(.renameNotebook)
            writer.text(from)
            writer.text(to)
        case .removeNotebook(let name, let withNotes):
            begin(.removeNotebook)
            writer.text(name)
            writer.flag(withNotes)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let max = Request.refMax
        self =
            switch operation {
            case .modify: .modify(refs: try reader.texts(), try FieldChange(from: &reader))
            case .duplicate: .duplicate(ref: try reader.text(max: max))
            case .join: .join(refs: try reader.texts())
            case .tags: .tags
            case .renameTag: .renameTag(from: try reader.texts(), to: try reader.text(max: max))
            case .notebooks: .notebooks
            case .renameNotebook: .renameNotebook(from: try reader.text(max: max), to: try reader.text(max: max))
            case .removeNotebook: .removeNotebook(name: try reader.text(max: max), withNotes: try reader.flag())
            }
    }
}

extension FieldChange {
    private enum Operation: UInt8 { case title = 1, tag, untag, notebook, pinned, archived }

    func encode(to writer: inout ByteWriter) {
        func begin(_ operation: Operation) { writer.u8(operation.rawValue) }
        switch self {
        case .title(let title):
            begin(.title)
            writer.optionalText(title)
        case .tag(let tags):
            begin(.tag)
            writer.texts(tags)
        case .untag(let tags):
            begin(.untag)
            writer.texts(tags)
        case .notebook(let path):
            begin(.notebook)
            writer.text(path)
        case .pinned(let isSet):
            begin(.pinned)
            writer.flag(isSet)
        case .archived(let isSet):
            begin(.archived)
            writer.flag(isSet)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self =
            switch operation {
            case .title: .title(try reader.optionalText(max: Request.refMax))
            case .tag: .tag(try reader.texts())
            case .untag: .untag(try reader.texts())
            case .notebook: .notebook(try reader.text(max: Request.refMax))
            case .pinned: .pinned(try reader.flag())
            case .archived: .archived(try reader.flag())
            }
    }
}
