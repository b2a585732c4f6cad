// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

/// An operation that the agent carries out in an open vault.
protocol Handled: Operation {
    /// - Returns: how it ended; nil while a job continues it.
    func run(in work: Operations) throws(VaultError) -> Outcome?
    /// The same for operations that a secret follows.
    func run(in work: Operations, secret: consuming SecretBytes) throws(VaultError) -> Outcome?
}

extension Handled {
    func run(in work: Operations) throws(VaultError) -> Outcome? { Outcome(.usage, "this request needs a password") }
    func run(in work: Operations, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        Outcome(.usage, "this request takes no password")
    }
}

/// The one list of operations: it decodes requests, and docs/agent-protocol.md §3 is compared with it.
public enum OperationTable {
    /// For whoever goes through all of them, such as the fuzzer.
    public static var operations: [any Operation.Type] { all }

    static let all: [any Handled.Type] = [
        ListLinks.self, LinkTarget.self, ListBacklinks.self, ShareNote.self,
        ListHistory.self, CompareRevisions.self, RevertNote.self, UndoCommands.self, RedoCommands.self, ThinHistory.self,
        ListTags.self, RenameTag.self, ListNotebooks.self, RenameNotebook.self, RemoveNotebook.self,
        ModifyNotes.self, DuplicateNote.self, MergeNotes.self,
        NoteState.self, ProtectNote.self, LockNotes.self, UnlockNote.self, ChangeNotePassword.self, RemoveNotePassword.self,
    ]

    private static let byID: [UInt8: any Handled.Type] = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    static func operation(_ id: UInt8) -> (any Handled.Type)? { byID[id] }
}

/// What a client asked for, as it was read.
enum Asked {
    case request(Request)
    case operation(any Handled)

    /// Reads a request frame's payload.
    ///
    /// - Throws: `FormatError` for bytes that no client of ours sends.
    static func parse(_ payload: [UInt8]) throws(FormatError) -> (asked: Asked, presentation: Presentation) {
        var reader = ByteReader(payload)
        let presentation = try Presentation(from: &reader)
        guard let type = OperationTable.operation(try reader.u8()) else {
            let (request, presentation) = try Request.parse(payload)
            return (.request(request), presentation)
        }
        return (.operation(try type.init(from: &reader)), presentation)
    }

    var needsSecret: Bool {
        switch self {
        case .request(let request): request.needsSecret
        case .operation(let operation): operation.needsSecret
        }
    }

    var needsDescriptor: Bool {
        switch self {
        case .request(let request): request.needsDescriptor
        case .operation(let operation): operation.needsDescriptor
        }
    }

    /// Whether serving it may change the vault.
    var mayWrite: Bool {
        switch self {
        case .request(let request): request.mayWrite
        case .operation(let operation): !type(of: operation).traits.isDisjoint(with: [.changes, .upkeep])
        }
    }

    func perform(in work: Operations) throws(VaultError) -> Outcome? {
        switch self {
        case .request(let request): try work.perform(request)
        case .operation(let operation): try operation.run(in: work)
        }
    }

    func perform(in work: Operations, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        switch self {
        case .request(let request): return try work.perform(request, secret: secret)
        case .operation(let operation): return try operation.run(in: work, secret: secret)
        }
    }
}
