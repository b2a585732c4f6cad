// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ExportFormats
internal import VaultCore
internal import VaultFormat

/// `ExportJob` serves `vault export`: the loop reads notes for a thread that writes them. Steps are short, and none
/// waits for the thread; a lock, Ctrl-C or the end of the connection takes the job away, and the thread ends at its
/// next question.
final class ExportJob: Job {
    private let store: OpenVault
    private let queue: ExportQueue
    private let work: Background<ExportWork.Ending>
    private var reader: ExportReader
    private let hasFilter: Bool
    private var isRead = false
    /// A private note that waits for the thread, or that it writes now: no other text is held beside it, so that a lock
    /// of the note is the end of it.
    private var privateNote: NoteID?
    private var waiting: (note: ExportQueue.Item, byteCount: Int)?
    private var told = ContinuousClock.now
    private static let stepDuration = Duration.milliseconds(10)
    private static let progressDuration = Duration.milliseconds(100)

    init(
        _ store: OpenVault, _ order: ExportNotes, _ scan: ExportScan, _ sealing: ExportSealing,
        _ passed: PassedDescriptor
    ) {
        self.store = store
        hasFilter = order.query.contains { !$0.isWhitespace }
        reader = ExportReader(
            store, scan, readsHistory: order.format == .json && order.includesHistory,
            countsHistory: order.includesHistory, knowsBooks: order.format == .json)
        let queue = ExportQueue()
        self.queue = queue
        work = Background { goesOn in ExportWork(order, queue, passed, goesOn: goesOn).run(sealing) }
    }

    deinit {
        work.cancel()
        queue.cancel()
    }

    /// The thread wakes the loop when it wants something.
    var isWaiting: Bool { !mayRead }
    var note: NoteID? { privateNote }

    func step(_ connection: Connection) -> Outcome? {
        if let ending = work.takeResult() { return finish(ending, connection) }
        grantWish()
        do throws(VaultError) { try readOn() } catch {
            queue.cancel()
            return error.outcome
        }
        guard !(hasFilter && reader.total == 0) else {
            // A file of it would pass for an export.
            queue.cancel()
            return Outcome(
                .notFound, "no note matches, so nothing was exported", hint: "vault search QUERY shows what matches")
        }
        tell(connection)
        return nil
    }

    private var mayRead: Bool {
        if isRead { return false }
        return privateNote == nil ? queue.hasRoom : queue.isDrained
    }

    private func grantWish() {
        guard let wish = queue.takeWish() else { return }
        do throws(VaultError) {
            queue.grant(.success(try store.attachments.content(of: wish.attachment, note: wish.note)))
        } catch { queue.grant(.failure(error)) }
    }

    private func readOn() throws(VaultError) {
        if let privateNote { store.privateNotes.markUsed(privateNote) }
        let end = ContinuousClock.now + Self.stepDuration
        repeat {
            guard mayRead else { return }
            if let (item, byteCount) = waiting {
                // Everything before it is written: now it goes alone.
                waiting = nil
                queue.put(item, byteCount: byteCount)
                return
            }
            privateNote = nil
            switch try reader.step() {
            case .goesOn: break
            case .note(let note, let attachments, let id):
                let item = (note: ExportQueue.Item.note(note, attachments), byteCount: note.heldByteCount)
                guard note.isPrivate else {
                    queue.put(item.note, byteCount: item.byteCount)
                    continue
                }
                privateNote = id
                waiting = item
            case .end:
                isRead = true
                guard !(hasFilter && reader.total == 0) else { return }
                queue.put(.end(lockedCount: reader.lockedCount), byteCount: 0)
            }
        } while ContinuousClock.now < end
    }

    private func tell(_ connection: Connection) {
        guard ContinuousClock.now >= told + Self.progressDuration else { return }
        told = ContinuousClock.now
        connection.send(
            .progress, Progress(label: "exporting", done: work.done, total: UInt64(reader.total ?? 0)).encoded)
    }

    private func finish(_ ending: ExportWork.Ending, _ connection: Connection) -> Outcome {
        switch ending {
        case .failed(let outcome): return outcome
        case .done(var report):
            if reader.damagedCount > 0 { report.losses.append(.damaged(reader.damagedCount, reader.damagedNotes)) }
            if reader.lostAttachmentCount > 0 {
                report.losses.append(.lost(reader.lostAttachmentCount, of: reader.lostAttachmentNotes))
            }
            connection.reply(report)
            guard report.losses.contains(where: \.isMissing) else { return Outcome(.ok) }
            let hint =
                reader.damagedCount > 0 || reader.lostAttachmentCount > 0
                    || report.losses.contains(where: { $0.code == UnreadableAttachments.code })
                ? "vault check"
                : reader.lockedCount > 0 ? "vault note unlock ID, then export again" : "see docs/export.md"
            return Outcome(.doneWithLosses, "the export is complete except for the items above", hint: hint)
        }
    }
}
