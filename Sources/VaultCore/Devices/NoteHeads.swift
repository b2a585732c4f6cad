// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `NoteHeads` holds the heads of each note as entries make them, of all devices and in whatever order they come:
/// revisions that nothing came after, the one that is shown last. Spec: docs/format.md §10.
struct NoteHeads {
    private var graphs: [NoteID: NoteGraph] = [:]
    /// A number for each device that was seen.
    private var devices: [[UInt8]: Int] = [:]

    /// Returns the heads of a note; nil of a note that has none.
    subscript(note: NoteID) -> [RevisionID]? {
        let heads = graphs[note]?.heads ?? []
        return heads.isEmpty ? nil : heads
    }

    /// Returns the graph of a note; nil of a note that no entry names.
    func graph(of note: NoteID) -> NoteGraph? { graphs[note] }

    /// Those that have heads, in no order.
    var notes: [NoteID] { graphs.filter { !$0.value.heads.isEmpty }.map(\.key) }

    mutating func add(_ entry: Entry) {
        let device = devices[entry.device] ?? devices.count
        devices[entry.device] = device
        graphs[entry.noteID, default: NoteGraph()].add(entry, device: device)
    }
}
