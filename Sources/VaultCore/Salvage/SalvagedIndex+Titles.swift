// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import TextReading
internal import VaultFormat

/// These functions say what is still known of something that is lost.
extension SalvagedIndex {
    /// Returns a revision's sealed bytes, read again; nil when the file has changed meanwhile.
    func sealed(_ revision: SalvagedRevision) -> [UInt8]? { pages.record(at: revision.position)?.blob(2) }

    /// Returns a revision with the vault's layer taken off.
    func opened(_ revision: SalvagedRevision) -> RecordSealer.Opened? {
        sealed(revision).flatMap { try? records.openOuter($0, note: revision.note, revision: revision.id) }
    }

    /// Returns what the lists called a note; nil when they do not tell.
    func listedTitle(of note: NoteID) -> String? {
        listRow(of: note)?.text(9).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the revision that the lists showed.
    func listedHead(of note: NoteID) -> RevisionID? {
        listRow(of: note)?.blob(2).flatMap { try? RevisionID($0) }
    }

    /// Returns whether the newest lists call a note private; nil where they do not name it.
    func isListedPrivate(_ note: NoteID) -> Bool? {
        guard listedNow.contains(note), let features = listRow(of: note)?.integer(7) else { return nil }
        return UInt64(bitPattern: features) & UInt64(NoteFeatures.isPrivate.rawValue) != 0
    }

    private func listRow(of note: NoteID) -> SalvagedRecord? { listRows[note].flatMap { pages.record(at: $0) } }

    /// Returns the title of a revision that is there, as far as it is shown without the note's password.
    func title(of revision: SalvagedRevision) -> String? {
        guard let face = opened(revision)?.face else { return nil }
        return revision.isPrivate ? face.title : NoteTitle.display(title: face.title, body: face.body)
    }
}
