// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

extension Request {
    /// Payload of a request frame: presentation, one byte for the operation, its fields.
    public func encoded(for presentation: Presentation) -> [UInt8] {
        var writer = ByteWriter()
        presentation.encode(to: &writer)
        writer.u8(operation.rawValue)
        encodeFields(to: &writer)
        return writer.bytes
    }

    /// Reads a request frame's payload.
    ///
    /// - Throws: `FormatError` for anything that `encoded` does not make.
    public static func parse(_ payload: [UInt8]) throws(FormatError) -> (request: Request, presentation: Presentation) {
        var reader = ByteReader(payload)
        let presentation = try Presentation(from: &reader)
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let request = try Request(operation, from: &reader)
        try reader.end()
        return (request, presentation)
    }

    private enum Operation: UInt8 {
        case probe = 1, unlock, create, commitCreation, measureCost
        case status = 16, lock, new, append, replace, show, cat, list, search, remove, restore, emptyTrash
        case check = 51
        case editing = 66
        case attaching = 69, keying, exporting, archiving
        case importing = 80
    }

    private var operation: Operation {
        switch self {
        case .probe: .probe
        case .unlock: .unlock
        case .create: .create
        case .commitCreation: .commitCreation
        case .measureCost: .measureCost
        case .status: .status
        case .lock: .lock
        case .new: .new
        case .append: .append
        case .replace: .replace
        case .show: .show
        case .cat: .cat
        case .list: .list
        case .search: .search
        case .remove: .remove
        case .restore: .restore
        case .emptyTrash: .emptyTrash
        case .check: .check
        case .editing: .editing
        case .attaching: .attaching
        case .keying: .keying
        case .exporting: .exporting
        case .archiving: .archiving
        case .importing: .importing
        }
    }

    private func encodeFields(to writer: inout ByteWriter) {
        switch self {
        case .commitCreation, .status, .lock, .emptyTrash: break
        case .measureCost(let targetMilliseconds): writer.u32(targetMilliseconds)
        case .probe(let directory, let acceptRollback):
            writer.lengthPrefixed(directory)
            writer.flag(acceptRollback)
        case .unlock(let options): options.encode(to: &writer)
        case .create(let options): options.encode(to: &writer)
        case .new(let note): note.encode(to: &writer)
        case .append(let ref, let text), .replace(let ref, let text):
            writer.text(ref)
            writer.text(text)
        case .show(let refs, let raw):
            writer.texts(refs)
            writer.flag(raw)
        case .cat(let refs), .remove(let refs), .restore(let refs): writer.texts(refs)
        case .list(let query): query.encode(to: &writer)
        case .search(let order): order.encode(to: &writer)
        case .check(let rebuildIndex): writer.flag(rebuildIndex)
        case .editing(let editing): editing.encode(to: &writer)
        case .attaching(let attaching): attaching.encode(to: &writer)
        case .keying(let keying): keying.encode(to: &writer)
        case .exporting(let exporting): exporting.encode(to: &writer)
        case .archiving(let archiving): archiving.encode(to: &writer)
        case .importing(let importing): importing.encode(to: &writer)
        }
    }

    private init(_ operation: Operation, from reader: inout ByteReader) throws(FormatError) {
        let textMax = Frame.noteByteCountMax
        self =
            switch operation {
            case .probe: .probe(directory: try reader.lengthPrefixed(max: 4096), acceptRollback: try reader.flag())
            case .unlock: .unlock(try UnlockOptions(from: &reader))
            case .create: .create(try CreateOptions(from: &reader))
            case .commitCreation: .commitCreation
            case .measureCost: .measureCost(targetMilliseconds: try reader.u32())
            case .status: .status
            case .lock: .lock
            case .new: .new(try NewNote(from: &reader))
            case .append: .append(ref: try reader.text(max: Self.refMax), text: try reader.text(max: textMax))
            case .replace: .replace(ref: try reader.text(max: Self.refMax), text: try reader.text(max: textMax))
            case .show: .show(refs: try reader.texts(), raw: try reader.flag())
            case .cat: .cat(refs: try reader.texts())
            case .list: .list(try ListQuery(from: &reader))
            case .search: .search(try SearchOrder(from: &reader))
            case .remove: .remove(refs: try reader.texts())
            case .restore: .restore(refs: try reader.texts())
            case .emptyTrash: .emptyTrash
            case .check: .check(rebuildIndex: try reader.flag())
            case .editing: .editing(try Editing(from: &reader))
            case .attaching: .attaching(try Attaching(from: &reader))
            case .keying: .keying(try Keying(from: &reader))
            case .exporting: .exporting(try Exporting(from: &reader))
            case .archiving: .archiving(try Archiving(from: &reader))
            case .importing: .importing(try Importing(from: &reader))
            }
    }

    /// Longest reference to a note, in bytes.
    static let refMax = 4096
}
