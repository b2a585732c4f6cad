// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TextMerge
internal import VaultCore
internal import VaultFormat

/// `RunningEdit` is an edit that runs in a client's editor. It outlives the lock: what the editor saves is sealed under
/// the draft's own key.
final class RunningEdit {
    let journal: DraftJournal
    let kind: ChangeKind
    /// Nil for a new ordinary note.
    let note: NoteID?
    private(set) var machine = NoteStateMachine()
    /// Whether an editor has its text in a file: then it is open as long as the editor is.
    private let hasFolder: Bool
    /// Where in a book a new note is to stand.
    private let place: NewPlace?
    private var lastChange = BootClock.seconds

    /// Seconds that an edit without a folder holds the vault open after its last change: a page is left open for days.
    private static let unchangedSecondsMax = 600.0

    init(_ journal: DraftJournal, _ kind: ChangeKind, note: NoteID?, hasFolder: Bool, place: NewPlace? = nil) {
        self.note = note
        self.place = place
        self.hasFolder = hasFolder
        self.journal = journal
        self.kind = kind
    }

    /// Seals what the editor saved into the journal.
    ///
    /// - Throws: `VaultError.tooLarge`, `.readOnly`, `.saveFailed`.
    func save(_ text: [UInt8]) throws(VaultError) {
        try journal.save(text)
        lastChange = BootClock.seconds
        machine.handle(.type)
    }

    func holdsOpen(now: Double) -> Bool { hasFolder || now < lastChange + Self.unchangedSecondsMax }

    /// Makes the text a revision after the editor ended; where that fails it stays in the journal.
    func commit(_ text: [UInt8], to store: OpenVault, merged: MergedTexts?) throws(VaultError) -> EditOutcome {
        machine.handle(.type)
        machine.handle(.save)
        do throws(VaultError) {
            let outcome = try store.drafts.commit(journal.id, text: text, kind, merged: merged, place: place)
            machine.handle(.saved)
            return outcome
        } catch {
            machine.handle(.saveFailed)
            // Whatever it was, the text is not lost with it.
            try? journal.save(text)
            throw error
        }
    }

    /// Empties a journal of which nothing is wanted while the vault is locked: the next unlock finds a draft that
    /// nobody wrote in, and removes it.
    func forget() { if journal.sequence > 0 { try? journal.begin([]) } }

    /// Records that the editor or its client ended without a word.
    func interrupt() { machine.handle(.interrupt) }
}
