// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `AttachmentSealing` seals attachments under their note's key which came from a device that did not know of the
/// note's password: small ones at once, others on a thread.
final class AttachmentSealing {
    private typealias Sealed = Result<SealedObject, ObjectError>

    private let store: OpenVault
    private var left: [AttachmentRecord] = []
    private var made: [(waiting: AttachmentRecord, file: NewObject, sealed: SealedObject)] = []
    private var running: (record: AttachmentRecord, file: NewObject, work: Background<Sealed>)?
    /// Notes that are not tried again in this round.
    private var given: Set<NoteID> = []
    /// Whether there is something to do at once.
    private(set) var hasWork = false
    /// What is sealed on this thread, in bytes.
    private static let smallByteCount: UInt64 = 1 << 20

    init(_ store: OpenVault) { self.store = store }

    deinit { running?.work.cancel() }

    func beginRound() { given = [] }

    func end() {
        running?.work.cancel()
        (running, left, made, hasWork) = (nil, [], [], false)
    }

    /// Does a little of it.
    ///
    /// - Returns: whether there is more.
    func step() throws(VaultError) -> Bool {
        let isMore = try goOn()
        hasWork = isMore && running == nil
        return isMore
    }

    private func goOn() throws(VaultError) -> Bool {
        if let (record, file, work) = running {
            guard let result = work.takeResult() else { return true }
            running = nil
            try finish(record, file, result)
            return true
        }
        if let record = left.popLast() {
            try begin(record)
            return true
        }
        if let note = made.first?.waiting.noteID {
            defer { made = [] }
            do throws(VaultError) {
                try store.devices.take(made, of: note)
                // The files as they came are under the vault's key alone.
                try store.attachments.removePending()
            } catch {
                // It was locked meanwhile: another round finds it again.
                guard error.code == .attachmentsChanged || error.code == .objectGone else { throw error }
            }
            return true
        }
        let waiting = try store.devices.waitingAttachments(areHere: true).filter { !given.contains($0.noteID) }
        guard let note = waiting.first?.noteID else { return false }
        given.insert(note)
        left = waiting.filter { $0.noteID == note }
        return true
    }

    private func begin(_ record: AttachmentRecord) throws(VaultError) {
        do throws(VaultError) {
            let content = try store.devices.content(of: record)
            let file = try store.devices.newObject(for: record)
            guard record.fileByteCount > Self.smallByteCount else {
                return try finish(record, file, ResealWork.copy(content, to: file) { _ in true })
            }
            running = (record, file, Background { goesOn in ResealWork.copy(content, to: file, goesOn) })
        } catch {
            guard [.integrity, .noteLocked, .notOurs].contains(error.code) else { throw error }
            (left, made) = ([], [])
        }
    }

    private func finish(_ record: AttachmentRecord, _ file: NewObject, _ result: Sealed) throws(VaultError) {
        switch result {
        case .success(let sealed):
            try file.sync()
            made.append((record, file, sealed))
        case .failure(let error):
            (left, made) = ([], [])
            // A file that does not open is not the one that was told of: its record waits on.
            if error.code != .notAuthentic { throw error.vaultError }
        }
    }
}
