// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// An `UndoPreview` finds what undoing the last commands would take back, and looks at some entries at a time. Nothing
/// is written.
public final class UndoPreview {
    public struct Command: Sendable {
        public var kind: String
        /// When it was made, in milliseconds since 1970, UTC.
        public var made: Int64
        /// A few of its notes, the last changed first.
        public var notes: [NoteID] = []
        public var noteCount = 0
    }

    /// The newest first.
    public private(set) var commands: [Command] = []
    /// Notes in the list now that would be in the trash or the archive.
    public private(set) var leavingCount = 0
    /// How many changes of notes were recorded when this began. Another number means that something was written since.
    public let entriesSeen: UInt64

    private let vault: OpenVault
    private let commandCount: Int
    private var command: Int64?
    private var row: (id: Int64, first: Int64, next: Int64)?
    private var below = History.undoneFrom
    /// Notes of the command at hand.
    private var seen: Set<NoteID> = []
    /// Of each note the first of the entries that would be taken back: what was before it would be again.
    private var oldest: [NoteID: (operation: Entry.Operation, before: RevisionID?)] = [:]
    private var changed: [NoteID]?
    private static let stepCount = 50
    private static let namedCount = 3

    public init(_ vault: OpenVault, commandCount: Int) throws(VaultError) {
        self.vault = vault
        self.commandCount = commandCount
        entriesSeen = try vault.history.entryCount()
    }

    /// Looks at a little more.
    ///
    /// - Returns: whether there is more to look at.
    public func step() throws(VaultError) -> Bool {
        try vault.read { index in
            if self.changed != nil { return try self.countLeaving(index) }
            if try self.nextRow(index) {
                try self.lookAtEntries(index)
            } else {
                self.changed = Array(self.oldest.keys)
            }
            return true
        }
    }

    /// Finds the next change to look at.
    ///
    /// - Returns: false after the last one.
    private func nextRow(_ index: ReadAccess) throws -> Bool {
        if row != nil { return true }
        let found = try index.newestChange(below: below)
        let number = try found?.integer("command")
        if number == nil || number != command {
            // Of a command whose notes were all purged meanwhile nothing is told, and it does not count.
            if commands.last?.noteCount == 0 { commands.removeLast() }
            guard let found, commands.count < commandCount else { return false }
            commands.append(Command(kind: try found.text("kind"), made: try found.integer("made")))
            command = number
            seen = []
        }
        guard let found else { return false }
        row = (try found.integer("id"), try found.integer("first"), try found.integer("last"))
        return true
    }

    private func lookAtEntries(_ index: ReadAccess) throws {
        guard let (id, first, next) = row else { return }
        let lowest = max(first, next - Int64(Self.stepCount) + 1)
        for entry in try index.entries(lowest...max(lowest, next)).reversed() { try look(at: entry, index) }
        row = lowest > first ? (id, first, lowest - 1) : nil
        if row == nil { below = id }
    }

    private func look(at entry: Entry, _ index: ReadAccess) throws {
        guard entry.operation.makesRevision, try place(of: entry.noteID, index) != nil else { return }
        // A page that does not open is no purge.
        guard (try? index.isPurged(entry)) != true else { return }
        oldest[entry.noteID] = (entry.operation, entry.parents.first)
        guard seen.insert(entry.noteID).inserted else { return }
        let last = commands.count - 1
        commands[last].noteCount += 1
        if commands[last].notes.count < Self.namedCount { commands[last].notes.append(entry.noteID) }
    }

    private func countLeaving(_ index: ReadAccess) throws -> Bool {
        for _ in 0..<Self.stepCount {
            guard let note = changed?.popLast() else { return false }
            guard let (operation, before) = oldest[note], let place = try place(of: note, index),
                place == .live || place == .template
            else {
                continue
            }
            if operation == .create {
                leavingCount += 1
            } else if operation != .fork, let before, let record = try? index.revision(before, of: note),
                [.trash, .archive].contains(NotePlace(record.flags))
            {
                leavingCount += 1
            }
        }
        return true
    }

    private func place(of note: NoteID, _ index: ReadAccess) throws -> NotePlace? {
        try index.database.cachedStatement("SELECT place FROM note WHERE id = ?").row([note.bytes.blob]).flatMap {
            NotePlace(rawValue: try $0.integer("place"))
        }
    }
}

extension History {
    /// Counts entries that this device has made, and changes of notes that it has heard of. Each change of a note adds
    /// one, and no such number is reused, unlike the numbers of undone commands.
    public func entryCount() throws(VaultError) -> UInt64 { try vault.read { try $0.changePosition() } }
}
