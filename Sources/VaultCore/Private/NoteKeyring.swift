// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// The private notes that are unlocked, with their keys. Nothing of it is ever written.
final class NoteKeyring {
    struct Unlocked {
        let keys: NoteKeys
        let showsTitle: Bool
    }

    private var unlocked: [NoteID: Unlocked] = [:]
    /// Notes that somebody read or wrote since `takeUsed`: they stay unlocked for longer.
    private var used: Set<NoteID> = []

    subscript(note: NoteID) -> Unlocked? { unlocked[note] }
    var notes: [NoteID] { Array(unlocked.keys) }
    var isEmpty: Bool { unlocked.isEmpty }

    func insert(_ note: NoteID, _ keys: NoteKeys, showsTitle: Bool) {
        unlocked[note] = Unlocked(keys: keys, showsTitle: showsTitle)
        used.insert(note)
    }

    func remove(_ note: NoteID) { unlocked[note] = nil }

    func markUsed(_ note: NoteID) { if unlocked[note] != nil { used.insert(note) } }

    func takeUsed() -> Set<NoteID> {
        defer { used = [] }
        return used
    }
}
