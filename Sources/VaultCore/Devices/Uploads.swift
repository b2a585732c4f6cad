// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// `Uploads` says which notes have something that a remote has not acknowledged, as of one transaction.
///
/// A note is pending while an entry of it has no position over a remote, or one that the remote's store has not
/// acknowledged: `telling` has exactly those rows. Permanently deleted notes have rows until their purge is told.
/// Spec: docs/format.md §13.
public struct Uploads: Sendable, Equatable {
    /// Without one, every note is on this device alone.
    public let hasRemotes: Bool
    /// Empty without remotes.
    private(set) var pending: Set<PackedID> = []

    /// Returns where the changes of a note are.
    public subscript(note: NoteID) -> UploadState { self[PackedID(note)] }

    subscript(note: PackedID) -> UploadState {
        guard hasRemotes else { return .persisted }
        return pending.contains(note) ? .pending : .uploaded
    }

    /// Returns the notes in a state; nil for all but those that are pending, or all.
    func few(_ state: UploadState) -> Set<PackedID>? {
        guard hasRemotes else { return state == .persisted ? nil : [] }
        return switch state {
        case .persisted: []
        case .pending: pending
        case .uploaded: nil
        }
    }

    /// Adds a note of which an entry was made since.
    mutating func add(_ note: NoteID) {
        if hasRemotes { pending.insert(PackedID(note)) }
    }
}

/// `UploadCounts` says how many notes are at the remotes.
public struct UploadCounts: Sendable, Equatable {
    /// Notes, in any place, that all remotes have in their current state.
    public let uploaded: Int
    public let pending: Int
    /// Permanently deleted notes whose deletion a remote has not heard of.
    public let removals: Int
}

extension Remotes {
    /// Returns which notes have something that a remote has not acknowledged. It is found out once for each
    /// transaction, and without a remote there is nothing to find out.
    ///
    /// - Throws: `VaultError.integrity`.
    public func uploads() throws(VaultError) -> Uploads { try vault.read { try $0.uploads.asOfNow($0) } }

    /// Returns how many notes are at the remotes; nil without a remote.
    ///
    /// - Throws: `VaultError.integrity`.
    public func uploadCounts() throws(VaultError) -> UploadCounts? {
        try vault.read { index in
            let uploads = try index.uploads.asOfNow(index)
            guard uploads.hasRemotes else { return nil }
            let statement = try index.database.cachedStatement("SELECT 1 FROM note WHERE id = ?")
            let pending = try uploads.pending.count { try statement.row([$0.bytes.blob]) != nil }
            let total = try IndexState.fetch(index.database).counts.total
            return UploadCounts(
                uploaded: total - pending, pending: pending, removals: uploads.pending.count - pending)
        }
    }

    /// Returns the notes that are in another state than they were, in the order of their identifiers.
    ///
    /// - Throws: `VaultError.integrity`.
    public func changes(since earlier: Uploads) throws(VaultError) -> [NoteID] {
        try vault.read { index in
            let uploads = try index.uploads.asOfNow(index)
            guard uploads != earlier else { return [] }
            if uploads.hasRemotes != earlier.hasRemotes {
                let rows = try Row.fetchAll(index.database, sql: "SELECT id FROM note ORDER BY id")
                return try rows.map { try NoteID($0.bytes("id")) }
            }
            let changed = uploads.pending.symmetricDifference(earlier.pending)
            return try changed.sorted { ($0.high, $0.low) < ($1.high, $1.low) }.map { try NoteID($0.bytes) }
                .filter { try index.isPresent($0) }
        }
    }
}

/// `KnownUploads` keeps what is known of uploads until the next transaction: a list of very many notes asks for each.
final class KnownUploads {
    private var known: Uploads?
    /// The transaction that is open makes entries of notes and nothing else that matters here: what is known is counted
    /// on. To find it out anew takes as long as much is pending and many notes are private.
    private var isCounting = false

    /// Forgets what is known: something was written, or was to be.
    func forget() {
        if !isCounting { known = nil }
    }

    /// Forgets it whatever was said of the transaction.
    func forgetAll() { (known, isCounting) = (nil, false) }

    /// Begins a transaction of which only entries of notes are to be expected; `forgetAll` ends that too.
    func beginCounting() { isCounting = true }
    func endCounting() { isCounting = false }

    /// Counts an entry of a note that is made in the transaction that is open.
    func add(_ note: NoteID) {
        if note != .none { known?.add(note) }
    }

    /// Returns what an index says now.
    func asOfNow(_ index: some IndexAccess) throws -> Uploads {
        if let known { return known }
        let found = try Uploads(index)
        known = found
        return found
    }
}

extension Uploads {
    /// Entries that have a position which no store has acknowledged, and own ones that have none yet. What is not told
    /// keeps no note from being uploaded. The joins have their order, or SQLite would look at all own entries.
    private static let pendingSQL = """
        SELECT substr(entry.bytes, 28, 10) FROM telling
        JOIN entry ON entry.device = telling.device AND entry.sequence = telling.sequence
        UNION ALL
        SELECT substr(entry.bytes, 28, 10) FROM state CROSS JOIN remoteProgress AS told CROSS JOIN entry
        WHERE entry.device = state.device AND entry.sequence > iif(told.device = state.device, told.own, 0)
          AND \(Transaction.isTold)
        """

    /// Entries of whichever device that came over one remote and that nobody has said over another.
    private static let unsaidSQL = """
        SELECT substr(entry.bytes, 28, 10) FROM remote CROSS JOIN
          (SELECT DISTINCT device FROM saidEntry) AS speaker CROSS JOIN entry
        WHERE entry.device = speaker.device AND entry.device <> (SELECT device FROM state)
          AND entry.sequence > ifnull((SELECT sequence FROM saidEntry
            WHERE saidEntry.remote = remote.name AND saidEntry.device = speaker.device), 0)
          AND \(Transaction.isTold) AND \(SaidEntries.isUnsaid("remote.name"))
        """

    fileprivate init(_ index: some IndexAccess) throws {
        // An index of before, on a disk that cannot be written, has no tables of remotes.
        guard try IndexState.fetch(index.database).schema >= Schema.firstWithDevices,
            try index.database.cachedStatement("SELECT 1 FROM remote LIMIT 1").row() != nil
        else {
            hasRemotes = false
            return
        }
        hasRemotes = true
        let rows = try RowReader(index.database, Self.pendingSQL)
        try rows.begin([])
        while try rows.next() { pending.insert(try rows.id(0)) }
        if try index.remembersWhatWasSaid {
            let rows = try RowReader(index.database, Self.unsaidSQL)
            try rows.begin([])
            while try rows.next() { pending.insert(try rows.id(0)) }
        }
        // What a device says of itself and of keyslots is of no note.
        pending.remove(PackedID(NoteID.none))
        // A password that was set, changed or taken away becomes an entry only when it is told.
        for change in try index.untoldNoteKeys() { pending.insert(PackedID(change.note)) }
    }
}

extension IndexAccess {
    /// Returns where the changes of a note are.
    func uploadState(of note: NoteID) throws -> UploadState { try uploads.asOfNow(self)[note] }
}
