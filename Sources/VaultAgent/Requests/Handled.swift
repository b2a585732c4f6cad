// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import SecretMemory
internal import VaultCore
public import VaultFormat

/// `Handled` is an operation that the agent carries out in an open vault.
protocol Handled: Operation {
    /// Carries out the operation; returns how it ended, or nil while a job continues it.
    func run(in work: RequestContext) throws(VaultError) -> Outcome?
    /// Does the same for operations that a secret follows.
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome?
}

extension Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        Outcome(.usage, "this is not a request of an open vault")
    }
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        Outcome(.usage, "this is not a request of an open vault")
    }
}

/// `OperationTable` is the one list of operations, of which each file beside this one has the part of its noun. It
/// decodes requests; docs/agent-protocol.md §3 is compared with it.
public enum OperationTable {
    static let all: [any Handled.Type] = [
        vault, repair, notes, lists, edits, drafts, attachments, keys, rotation, export, archives, backups, parity,
        imports, links, history, tags, notebooks, organize, privateNotes, books,
        remotes, signingIn, cloning, devices, conflicts, syncUpkeep,
    ].flatMap { $0 }

    private static let byID: [UInt8: any Handled.Type] = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// All of them, to go through the list.
    public static var operations: [any Operation.Type] { all }

    /// Reads a request frame's payload.
    ///
    /// - Throws: `FormatError` for bytes that no client of ours sends.
    public static func parse(_ payload: [UInt8]) throws(FormatError) -> (operation: any Operation, client: ClientTraits)
    {
        let (operation, client) = try handled(payload)
        return (operation, client)
    }

    static func handled(_ payload: [UInt8]) throws(FormatError) -> (operation: any Handled, client: ClientTraits) {
        var reader = ByteReader(payload)
        let client = try ClientTraits(from: &reader)
        guard let type = byID[try reader.u8()] else { throw FormatError(.unknownKind) }
        return (try type.init(from: &reader), client)
    }
}

extension Handled {
    /// Whether a note's text comes with it. By number: this is asked of each request.
    var writesText: Bool {
        switch Self.id {
        case CreateNote.id, AppendText.id, ReplaceText.id, TickTask.id, AppendDaily.id, BeginEdit.id, CommitEdit.id:
            true
        default: false
        }
    }
}
