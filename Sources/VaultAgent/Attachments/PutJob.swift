// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import SealedObjects
internal import Synchronization
internal import VaultCore
internal import VaultFormat

/// `PutJob` seals a client's file on a thread of its own. Nothing of it is an attachment before `commit`.
final class PutJob: Job {
    private let work: Background<Result<SealedObject, ObjectError>>
    private let file: NewObject
    private let details: AttachmentDetails
    private let byteCountMax: UInt64
    private let store: OpenVault
    /// Says to a recording that nothing more comes; nil for anything else.
    private let end: RecordingEnd?
    private var told: UInt64?
    private var isKept = false
    /// Largest attachment, in bytes: 1 TiB.
    private static let contentByteCountMax: UInt64 = 1 << 40

    init(
        _ store: OpenVault, _ note: NoteID, _ added: AddedFile, _ passed: PassedDescriptor, isRecording: Bool
    ) throws(VaultError) {
        // A regular file is all there already.
        let end = isRecording && passed.byteCount == nil ? RecordingEnd() : nil
        (self.store, self.end) = (store, end)
        file = try store.attachments.newObject(for: note)
        var details = AttachmentDetails(
            kind: added.kind, name: AttachmentName.clean(added.name), mediaType: added.mediaType, byteCount: 0,
            created: Machine.now)
        details.caption = added.caption
        (details.width, details.height, details.isStripped) = (added.width, added.height, added.isStripped)
        self.details = details
        byteCountMax = passed.byteCount ?? 0
        work = Background { [file] goesOn in
            do throws(ObjectError) {
                let sealed = try ObjectWriter.seal(
                    from: passed.descriptor, to: file.descriptor, layers: file.layers,
                    byteCountMax: Self.contentByteCountMax, isOver: { end?.isReached == true }, progress: goesOn)
                // On disk before a transaction names it.
                do throws(VaultError) { try file.sync() } catch {
                    throw ObjectError(error.code == .readOnly ? .noRoom : .io)
                }
                return .success(sealed)
            } catch { return .failure(error) }
        }
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }
    var note: NoteID? { file.note }

    private func tell(_ done: UInt64, _ connection: Connection) {
        connection.send(.progress, Progress(label: "sealing", done: done, total: byteCountMax, isBytes: true).encoded)
    }

    /// Says to a recording that no more of it comes; nothing to anything else.
    func endRecording() { end?.reach() }

    /// Attaches what came of a recording: the vault is about to be locked, or its sender has gone. Nothing of anything
    /// else.
    ///
    /// - Parameter until: when it is given up, by the boot's clock.
    func keepRecording(until: Double) {
        guard let end, !isKept else { return }
        isKept = true
        end.reach()
        var result = work.takeResult()
        while result == nil, BootClock.seconds < until {
            usleep(2000)
            result = work.takeResult()
        }
        guard case .success(let sealed)? = result, sealed.contentByteCount > 0 else { return }
        _ = try? store.attachments.add([(file, sealed, details)], to: file.note)
    }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else {
            let done = work.done
            // Whoever records into a private note uses it.
            if end != nil { store.privateNotes.markUsed(file.note) }
            guard end == nil, done != told else { return nil }
            told = done
            tell(done, connection)
            return nil
        }
        do throws(ObjectError) {
            let sealed = try result.get()
            // A lock, or the end of the connection, has taken the session away; then nobody waits for this.
            connection.attaching?.add(file, sealed, details)
            return Outcome(.ok)
        } catch { return error.outcome(.reading) }
    }
}

/// `RecordingEnd` says to a thread that seals a recording that no more of it comes.
final class RecordingEnd: Sendable {
    private let state = Mutex(false)

    var isReached: Bool { state.withLock { $0 } }
    func reach() { state.withLock { $0 = true } }
}

extension [Connection] {
    /// Attaches what came of recordings, all of them within some time: nobody waits for long.
    func keepRecordings(seconds: Double) {
        let jobs = compactMap { $0.job as? PutJob }
        let until = BootClock.seconds + seconds
        jobs.forEach { $0.endRecording() }
        jobs.forEach { $0.keepRecording(until: until) }
    }
}
