// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `ResealWork` writes the attachments of one note anew under another key, one after another, on a thread of its own.
/// The old files stay until the note's row is changed; the new ones go again if it never is.
final class ResealWork {
    private typealias Written = Result<SealedObject, ObjectError>

    private let store: OpenVault
    private let key: OpenedNoteKey?
    private let attachments: [Attachment]
    private var next = 0
    private var running: (file: NewObject, work: Background<Written>)?
    private(set) var resealed: [ResealedAttachment] = []
    private var files: [NewObject] = []
    private var doneBefore: UInt64 = 0
    let totalByteCount: UInt64

    /// Finds the attachments of all revisions of a note.
    ///
    /// - Parameter key: of the note to be; nil for an ordinary one.
    init(_ store: OpenVault, _ note: NoteID, to key: OpenedNoteKey?) throws(VaultError) {
        self.store = store
        self.key = key
        attachments = try store.attachments.ofAllRevisions(of: note)
        totalByteCount = attachments.reduce(0) { $0 + $1.details.byteCount }
    }

    deinit { running?.work.cancel() }

    var isDone: Bool { next == attachments.count && running == nil }
    var doneByteCount: UInt64 { doneBefore + (running?.work.done ?? 0) }

    /// Looks whether a file is done, and begins with the next one.
    func step() throws(VaultError) {
        if let (file, work) = running {
            guard let result = work.takeResult() else { return }
            running = nil
            let attachment = attachments[next]
            let sealed: SealedObject
            do throws(ObjectError) { sealed = try result.get() } catch { throw error.vaultError }
            try file.sync()
            files.append(file)
            resealed.append(try store.attachments.resealed(attachment, file, sealed))
            doneBefore += attachment.details.byteCount
            next += 1
        }
        guard next < attachments.count else { return }
        try begin(attachments[next])
    }

    private func begin(_ attachment: Attachment) throws(VaultError) {
        let content = try store.attachments.content(of: attachment.id, note: attachment.note)
        let file = try store.attachments.newObject(for: attachment, under: key)
        running = (file, Background { goesOn in Self.copy(content, to: file, goesOn) })
    }

    /// Keeps the new files, which the index names now.
    func keep() { files.forEach { $0.keep() } }

    /// Copies an attachment into a new file: one thread opens, this one seals, and a pipe lies between them.
    static func copy(
        _ content: AttachmentContent, to file: NewObject, _ goesOn: @Sendable (UInt64) -> Bool
    ) -> Result<SealedObject, ObjectError> {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { return .failure(ObjectError(.io, systemError: errno)) }
        let (from, to) = (ends[0], ends[1])
        let opening = Background<Result<Void, ObjectError>> { _ in
            defer { close(to) }
            do throws(ObjectError) {
                return .success(try content.reader().copy(0..<content.details.byteCount, to: to) { _ in true })
            } catch { return .failure(error) }
        }
        let sealed: Written
        do throws(ObjectError) {
            sealed = .success(
                try ObjectWriter.seal(
                    from: from, to: file.descriptor, layers: file.layers, byteCountMax: content.details.byteCount,
                    progress: goesOn)
            )
        } catch { sealed = .failure(error) }
        // A reader that still writes hears that nobody reads.
        close(from)
        while true {
            guard let opened = opening.takeResult() else {
                usleep(200)
                continue
            }
            // What it could not read whole was not sealed whole.
            if case .failure(let error) = opened, case .success = sealed { return .failure(error) }
            return sealed
        }
    }
}
