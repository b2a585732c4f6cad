// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `UnlockNotesJob` opens the private notes that one password opens: one derivation for each salt, on a thread of its
/// own, then some notes in each step.
final class UnlockNotesJob: Job {
    private typealias Opened = [(note: NoteID, key: OpenedNoteKey)]
    private enum Phase {
        case deriving(Background<Result<Opened, VaultError>>)
        case opening(Opened)
    }

    private let store: OpenVault
    private let session: Session
    private let notebook: String?
    /// One note of each derivation: wrong passwords are counted there.
    private let tried: [NoteID]
    private var phase: Phase
    private var reply = UnlockedNotes()
    private let total: Int

    private static let noteCountOfStep = 20

    /// Starts the derivations.
    ///
    /// - Throws: `VaultError.noteIsEdited` while another command tries a password of one of the notes.
    init(
        _ work: RequestContext, _ openings: [NoteOpening], notebook: String?, _ password: PasswordBox
    ) throws(VaultError) {
        (store, session, self.notebook) = (work.store, work.session, notebook)
        total = openings.count
        let groups = Array(Dictionary(grouping: openings, by: \.derivation).values)
        var (begun, wait): ([NoteID], Double) = ([], 0)
        for note in groups.compactMap(\.first?.note) {
            guard let seconds = session.noteAttempts.begin(note) else { continue }
            begun.append(note)
            wait = max(wait, seconds)
        }
        tried = begun
        let allowed = groups.filter { group in group.first.map { begun.contains($0.note) } ?? false }
        phase = .deriving(
            Background { [wait] goesOn in Self.opened(allowed, password, wait: wait, goesOn: goesOn) })
    }

    deinit {
        if case .deriving(let work) = phase {
            work.cancel()
            for note in tried { session.noteAttempts.failed(note) }
        }
        for note in tried { session.noteAttempts.end(note) }
    }

    private static func opened(
        _ groups: [[NoteOpening]], _ password: PasswordBox, wait: Double, goesOn: (UInt64) -> Bool
    ) -> Result<Opened, VaultError> {
        // In small parts: a lock must not find a password that waits.
        for _ in 0..<Int((wait * 10).rounded(.up)) where goesOn(0) { pause(0.1) }
        var all: Opened = []
        for (index, group) in groups.enumerated() {
            guard goesOn(UInt64(index)) else { return .failure(VaultError(.noteLocked)) }
            switch ProtectionWork.alone({ () throws(VaultError) in try NoteOpening.open(group, password.secret) }) {
            case .success(let keys): all += keys.map { ($0.key, $0.value) }
            case .failure(let error): if error.code != .wrongNotePassword { return .failure(error) }
            }
        }
        return all.isEmpty ? .failure(VaultError(.wrongNotePassword)) : .success(all)
    }

    var isWaiting: Bool { if case .deriving = phase { true } else { false } }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            switch phase {
            case .deriving(let work):
                guard let result = work.takeResult() else { return nil }
                phase = .opening([])
                let opened: Opened
                do throws(VaultError) { opened = try result.get() } catch {
                    if error.code == .wrongNotePassword { for note in tried { session.noteAttempts.failed(note) } }
                    throw error
                }
                let notes = Set(opened.map(\.note))
                for note in tried {
                    if notes.contains(note) { session.noteAttempts.succeeded(note) }
                }
                phase = .opening(opened)
                return nil
            case .opening(var left):
                for (note, key) in left.suffix(Self.noteCountOfStep) { try open(note, key) }
                left.removeLast(min(Self.noteCountOfStep, left.count))
                phase = .opening(left)
                guard left.isEmpty else {
                    connection.send(
                        .progress, Progress(label: "unlocking", done: UInt64(reply.count), total: UInt64(total)).encoded
                    )
                    return nil
                }
                session.lookForWords()
                reply.leftCount = total - reply.count
                connection.reply(reply)
                return Outcome(.ok)
            }
        } catch { return error.outcome }
    }

    private func open(_ note: NoteID, _ key: OpenedNoteKey) throws(VaultError) {
        do throws(VaultError) { try store.privateNotes.unlock(note, with: key) } catch {
            // One that was purged, changed or damaged meanwhile keeps no other one locked.
            return
        }
        if let notebook, let record = try? store.notes.note(note), !Self.isWithin(record.notebook, notebook) {
            store.privateNotes.relock(note)
            return
        }
        reply.count += 1
    }

    private static func isWithin(_ notebook: String, _ wanted: String) -> Bool {
        let (path, above) = (notebook.lowercased(), NoteNames.notebook(wanted).lowercased())
        return path == above || path.hasPrefix(above + "/")
    }
}
