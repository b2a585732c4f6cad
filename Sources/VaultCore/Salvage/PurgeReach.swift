// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// A `PurgeReach` says what purges took, as far as the entries that are left tell.
///
/// Where entries are lost, the way from a purge to what it took may have a gap. But a device that purges a note names
/// every head that it has, so whatever it made of the note before was taken too.
struct PurgeReach {
    private(set) var revisions: Set<RevisionID> = []
    /// Notes of which nothing is left on purpose; one that another device wrote in meanwhile lives on.
    private(set) var notes: Set<NoteID> = []

    /// Finds what the purges among some entries took.
    ///
    /// - Parameter heads: of the same entries.
    init(_ entries: [Entry], _ heads: NoteHeads) {
        var last: [NoteID: [[UInt8]: UInt64]] = [:]
        for entry in entries where entry.operation == .purge {
            let known = last[entry.noteID]?[entry.device] ?? 0
            last[entry.noteID, default: [:]][entry.device] = max(known, entry.sequence)
        }
        for note in last.keys { revisions.formUnion(heads.graph(of: note)?.gone ?? []) }
        var living: Set<NoteID> = []
        for entry in entries where entry.operation.makesRevision {
            guard let purges = last[entry.noteID] else { continue }
            if entry.sequence < purges[entry.device] ?? 0 { revisions.insert(entry.revisionID) }
            if !revisions.contains(entry.revisionID) { living.insert(entry.noteID) }
        }
        notes = Set(last.keys).subtracting(living)
    }
}
