// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
public import VaultFormat

/// An `OpeningLoss` says what a vault was opened without, on its owner's word.
public struct OpeningLoss: Sendable, Equatable {
    /// Neither copy of the manifest was whole: whether this is the vault's newest state nobody can tell.
    public var manifestWasMade = false
    /// Changes that had been saved are gone, for certain.
    public var hasLostChanges = false
    /// How many of them at least; 0 where nothing tells.
    public var commitCount: UInt64 = 0
    /// Notes that they changed, as far as what is left of the log still says so.
    public var notes: [NoteID] = []
    /// The log as it was found, under this name in the vault's folder; nil where there was nothing to keep.
    public var keptLog: String?
    /// Pages of the index that were taken as they are, though others belong there; where a part of what would tell is
    /// damaged itself, all that it is of.
    public var oldPageCount = 0

    public init() {}
}

/// Finds in pages of a damaged log which notes its lost changes were of: entries of the device's chain lie whole in
/// their table's rows, and the first bytes of each are known.
struct LostEntries {
    private(set) var notes: [NoteID] = []
    private let begin: [UInt8]
    private let lastSequence: UInt64
    /// Most notes that are named: more than anybody reads, and no log makes us remember more.
    private static let noteCountMax = 1000
    private static let entryByteCountMax = 1024

    /// Looks for entries that come after the last one of the index.
    ///
    /// - Parameter state: of the index as it is without them.
    init(after state: IndexState) {
        begin = [UInt8(Entry.version >> 8), UInt8(truncatingIfNeeded: Entry.version)] + state.device
        lastSequence = state.sequence
    }

    mutating func look(at page: ArraySlice<UInt8>) {
        var at = page.startIndex
        while at + begin.count <= page.endIndex {
            // Most bytes are not the first of an entry; the others are few enough to be tried.
            guard page[at] == begin[0], page[at + 1] == begin[1], page[at..<at + begin.count].elementsEqual(begin)
            else {
                at += 1
                continue
            }
            if let entry = Self.entry(page[at..<min(at + Self.entryByteCountMax, page.endIndex)]) { add(entry) }
            at += begin.count
        }
    }

    private mutating func add(_ entry: Entry) {
        guard entry.sequence > lastSequence, notes.count < Self.noteCountMax, !notes.contains(entry.noteID) else {
            return
        }
        notes.append(entry.noteID)
    }

    /// Returns the entry that these bytes begin with; how long it is says its count of parents.
    private static func entry(_ bytes: ArraySlice<UInt8>) -> Entry? {
        let fixed = 2 + Entry.deviceByteCount + 8 + 1 + NoteID.byteCount + RevisionID.byteCount
        guard bytes.count > fixed else { return nil }
        let parents = Int(bytes[bytes.startIndex + fixed]) * RevisionID.byteCount
        let whole = fixed + 1 + parents + Entry.digestByteCount
        guard bytes.count >= whole else { return nil }
        return try? Entry(parsing: Array(bytes.prefix(whole)))
    }
}
