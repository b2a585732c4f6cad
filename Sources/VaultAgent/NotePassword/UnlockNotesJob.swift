// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `UnlockNotesJob` opens the private notes that one password opens: one derivation for each salt, on a thread of its
/// own, then some notes in each step.
final class UnlockNotesJob: Job {
    /// What the password has opened, and of which derivations it has opened something.
    private struct Opened {
        var keys: [(note: NoteID, key: OpenedNoteKey)] = []
        var right: Set<NoteID> = []
    }
    private enum Phase {
        case deriving(Background<Result<Opened, VaultError>>)
        case opening([(note: NoteID, key: OpenedNoteKey)])
    }

    private let store: OpenVault
    private let session: Session
    private let notebook: String?
    /// One note of each derivation: wrong passwords are counted there.
    private let tried: [NoteID]
    private var phase: Phase
    private var reply = UnlockedNotes()
    private let total: Int
    /// What was locked since by hand stays locked.
    private let beganAt: Int
    /// Another command tries a password of each of the notes.
    var isBusy: Bool { tried.isEmpty }

    private static let noteCountOfStep = 20

    /// Starts the derivations. A note whose password another command tries is left to that.
    init(_ work: RequestContext, _ openings: [NoteOpening], notebook: String?, _ password: PasswordBox) {
        (store, session, self.notebook) = (work.store, work.session, notebook)
        total = openings.count
        beganAt = work.session.relocks.turn
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
        var all = Opened()
        var failure: VaultError?
        for (index, group) in groups.enumerated() {
            let result = ProtectionWork.alone { () throws(VaultError) in
                guard goesOn(UInt64(index)) else { throw VaultError(.noteLocked) }
                return try NoteOpening.open(group, password.secret)
            }
            switch result {
            case .success(let keys):
                all.keys += keys.map { ($0.key, $0.value) }
                if let first = group.first { all.right.insert(first.note) }
            case .failure(let error) where error.code == .noteLocked: return .failure(error)
            // One that this machine cannot derive, or that has another password, keeps no other one locked.
            case .failure(let error): if error.code != .wrongNotePassword { failure = failure ?? error }
            }
        }
        return all.keys.isEmpty ? .failure(failure ?? VaultError(.wrongNotePassword)) : .success(all)
    }

    var isWaiting: Bool { if case .deriving = phase { true } else { false } }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            switch phase {
            case .deriving(let work):
                guard let result = work.takeResult() else { return nil }
                phase = .opening([])
                do throws(VaultError) {
                    let opened = try result.get()
                    // Each derivation by itself: one right guess hides no wrong one.
                    for note in tried {
                        if opened.right.contains(note) {
                            session.noteAttempts.succeeded(note)
                        } else {
                            session.noteAttempts.failed(note)
                        }
                    }
                    phase = .opening(opened.keys)
                } catch {
                    if error.code == .wrongNotePassword { for note in tried { session.noteAttempts.failed(note) } }
                    throw error
                }
                return nil
            case .opening(var left):
                for (note, key) in left.suffix(Self.noteCountOfStep) { open(note, key) }
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

    private func open(_ note: NoteID, _ key: OpenedNoteKey) {
        guard !session.relocks.was(note, lockedSince: beganAt) else { return }
        // Somebody else's unlock is theirs: it is neither renewed nor taken back.
        guard !store.privateNotes.isUnlocked(note) else {
            reply.count += 1
            return
        }
        // One that was purged, changed or damaged meanwhile keeps no other one locked.
        guard (try? store.privateNotes.unlock(note, with: key)) != nil else { return }
        if let notebook {
            guard let known = try? store.notes.note(note), Self.isWithin(known.notebook, notebook) else {
                return store.privateNotes.relock(note)
            }
        }
        reply.count += 1
    }

    private static func isWithin(_ notebook: String, _ wanted: String) -> Bool {
        let (path, above) = (notebook.lowercased(), NoteNames.notebook(wanted).lowercased())
        return path == above || path.hasPrefix(above + "/")
    }
}
