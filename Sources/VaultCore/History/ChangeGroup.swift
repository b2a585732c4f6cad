// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// A `ChangeKind` says what kind of command made a change: it is shown by `undo` and in the history of changes.
public enum ChangeKind: String, Sendable, CaseIterable {
    case new, edit, append, replace, rm, restore, title, tag, untag, mv, pin, unpin, archive, unarchive, dup, merge,
        revert, date
    case tagRename = "tag rename"
    case notebookMove = "notebook mv"
    case notebookRemove = "notebook rm"
    case template, daily, `import`
    case attach = "attach add"
    case detach = "attach rm"
    case adopt
    case bookAdd = "book add"
    case bookEdit = "book edit"
    case bookShelf = "book shelf"
    case bookRemove = "book rm"
    case bookLog = "book log"
    case bookChapter = "book chapter"
    case bookNotes = "book notes"
}

extension ChangeKind {
    /// Makes the kind of the command that sets or clears a flag.
    public init(_ flag: NoteFlag, isSet: Bool) {
        switch flag {
        case .pinned: self = isSet ? .pin : .unpin
        case .archived: self = isSet ? .archive : .unarchive
        case .trashed: self = isSet ? .rm : .restore
        case .template: self = .template
        }
    }
}

/// A `ChangeGroup` holds transactions that one command made, so that `undo` takes them back together.
public final class ChangeGroup {
    public let kind: ChangeKind
    fileprivate var command: Int64?

    public init(_ kind: ChangeKind) { self.kind = kind }
}

extension OpenVault {
    /// Runs one durable transaction and remembers which entries it made, for `undo`.
    func change<R>(_ group: ChangeGroup, _ body: (Transaction) throws -> R) throws(VaultError) -> R {
        uploads.beginCounting()
        defer { uploads.endCounting() }
        let (result, command) = try write { transaction in
            let before = try IndexState.fetch(transaction.database).sequence
            let result = try body(transaction)
            let after = try IndexState.fetch(transaction.database).sequence
            guard after > before else { return (result, group.command) }
            let number = try transaction.command(of: group)
            // What was undone before cannot be redone over this.
            try transaction.database.cachedStatement("DELETE FROM change WHERE id >= ?").execute(arguments: [
                History.undoneFrom
            ])
            try transaction.database.cachedStatement(
                "INSERT INTO change(command, kind, made, first, last) VALUES(?, ?, ?, ?, ?)"
            )
            .execute(arguments: [
                number, group.kind.rawValue, Machine.now, Int64(clamping: before + 1), Int64(clamping: after),
            ])
            return (result, number)
        }
        // Only now: a transaction that failed has no number.
        group.command = command
        return result
    }

    func change<R>(_ kind: ChangeKind, _ body: (Transaction) throws -> R) throws(VaultError) -> R {
        try change(ChangeGroup(kind), body)
    }
}

extension Transaction {
    /// Returns the group's number, as long as nothing else came in between, else a new one: what is undone together
    /// must be next to each other.
    fileprivate func command(of group: ChangeGroup) throws -> Int64 {
        guard let command = group.command else { return try nextCommand() }
        let newest = try newestChange()
        return try newest?.integer("command") == command ? command : nextCommand()
    }

    fileprivate func nextCommand() throws -> Int64 {
        let row = try database.cachedStatement("SELECT coalesce(max(command), 0) + 1 AS next FROM change").row()
        return try row?.integer("next") ?? 1
    }
}
