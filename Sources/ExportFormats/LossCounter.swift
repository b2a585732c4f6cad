// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Counts losses while an export runs.
struct LossCounter {
    private var counts: [ExportLoss.Code: Int] = [:]

    mutating func add(_ code: ExportLoss.Code, _ count: Int = 1) {
        guard count > 0 else { return }
        counts[code, default: 0] += count
    }

    /// What every format but JSON loses of a note: history, and its own password.
    mutating func addCommon(_ note: ExportedNote) {
        add(.history, max(note.revisionCount, note.revisions.count))
        addDates(note)
    }

    /// What JSON loses, too.
    mutating func addDates(_ note: ExportedNote) {
        if note.isPrivate { add(.protection) }
        let times = [note.created, note.modified] + note.attachments.map(\.created) + note.revisions.map(\.modified)
        for time in times where !RFC3339.times.contains(time) { add(.dates) }
    }

    /// In the order of their codes.
    var list: [ExportLoss] {
        counts.map { ExportLoss($0.key, count: $0.value) }.sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
