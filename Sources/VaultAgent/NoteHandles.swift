// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `NoteHandles` remembers for each terminal what its last list showed and which note was touched last there, so that
/// `vault show 3` and `vault edit -` name notes. It is gone with a lock.
final class NoteHandles {
    /// What a terminal saw.
    private struct Seen {
        var rows: [String] = []
        /// The connection that the rows came over.
        var source: ObjectIdentifier?
        var last: String?
        var when = 0
    }

    private var seen: [UInt32: Seen] = [:]
    private var clock = 0
    /// Terminals that are remembered, and rows of a list.
    private static let (terminalCountMax, rowCountMax) = (64, 10_000)

    /// Remembers what a reply shows to somebody.
    func note(_ reply: some ReplyValue, of connection: Connection) {
        let terminal = connection.client.terminal
        guard terminal != 0, connection.client.isShown else { return }
        switch reply {
        case let list as NoteList:
            // What is only counted shows no rows, and takes none away.
            guard !list.notes.isEmpty || list.total ?? 0 == 0 else { return }
            show(list.notes.map(\.id), isFirst: list.isFirst, on: terminal, connection)
        case let found as FoundNotes: show(found.hits.map(\.note.id), isFirst: true, on: terminal, connection)
        case let changed as ChangedNotes: touch(changed.notes.last?.id, on: terminal)
        case let shown as ShownNote: touch(shown.note.id, on: terminal)
        case let ended as EndedEdit: touch(ended.note?.id, on: terminal)
        default: break
        }
    }

    /// A list may come in parts; those of another list in between are not put behind it.
    private func show(_ ids: [String], isFirst: Bool, on terminal: UInt32, _ connection: Connection) {
        change(terminal) { one in
            if isFirst { (one.rows, one.source) = ([], ObjectIdentifier(connection)) }
            guard one.source == ObjectIdentifier(connection) else { return }
            one.rows += ids.prefix(Self.rowCountMax - one.rows.count)
        }
    }

    private func touch(_ id: String?, on terminal: UInt32) {
        guard let id else { return }
        change(terminal) { $0.last = id }
    }

    private func change(_ terminal: UInt32, _ body: (inout Seen) -> Void) {
        clock += 1
        body(&seen[terminal, default: Seen()])
        seen[terminal]?.when = clock
        guard seen.count > Self.terminalCountMax, let oldest = seen.min(by: { $0.value.when < $1.value.when }) else {
            return
        }
        seen[oldest.key] = nil
    }

    /// Returns the operation with identifiers in the places of handles, and listens to what it is answered.
    ///
    /// - Throws: `VaultError.notFound` for a row that the last list does not have, and for `-` before anything was
    ///   touched.
    func resolved<Asked: Handled>(_ operation: Asked, for connection: Connection) throws(VaultError) -> Asked {
        connection.handles = self
        let terminal = connection.client.terminal
        guard terminal != 0 else { return operation }
        var coder = HandleCoder(seen[terminal]?.rows ?? [], seen[terminal]?.last)
        var operation = operation
        do throws(FormatError) { try operation.code(&coder) } catch { preconditionFailure("nothing is read") }
        if let failure = coder.failure { throw failure }
        return operation
    }
}

/// `HandleCoder` goes through the fields of an operation and puts identifiers in the places of handles.
private struct HandleCoder: FieldCoder {
    private let rows: [String]
    private let last: String?
    private(set) var failure: VaultError?
    /// More digits are no row of a list that somebody looks at; identifiers may begin with them.
    private static let digitCountMax = 3

    init(_ rows: [String], _ last: String?) { (self.rows, self.last) = (rows, last) }

    var isReading: Bool { false }
    func u8(_ value: inout UInt8) {}
    func u32(_ value: inout UInt32) {}
    func u64(_ value: inout UInt64) {}
    func i64(_ value: inout Int64) {}
    func flag(_ value: inout Bool) {}
    func text(_ value: inout String, max: Int) {}
    func bytes(_ value: inout [UInt8], max: Int) {}
    func refusal(_ code: FormatError.Code) -> FormatError { FormatError(code, offset: 0) }

    mutating func note(_ value: inout String) {
        // A revision stands behind the note: 3@2.
        var end = value.lastIndex(of: "@") ?? value.endIndex
        if !value[end...].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }) { end = value.endIndex }
        let (word, rest) = (value[..<end], value[end...])
        if word == "-" {
            guard let last else { return fail(.lastNote) }
            value = last + rest
        } else if !rows.isEmpty, !word.isEmpty, word.utf8.count <= Self.digitCountMax, word.first != "0",
            word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word)
        {
            guard number <= rows.count else { return fail(.row(number, of: rows.count)) }
            value = rows[number - 1] + rest
        }
    }

    private mutating func fail(_ reference: VaultError.Reference) {
        if failure == nil { failure = VaultError(.notFound, reference: reference) }
    }
}
