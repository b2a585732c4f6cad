// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `PutJob` seals a client's file on a thread of its own. Nothing of it is an attachment before `commit`.
final class PutJob: Job {
    private let work: Background<Result<SealedObject, ObjectError>>
    private let file: NewObject
    private let details: AttachmentDetails
    private let byteCountMax: UInt64
    /// Largest attachment, in bytes: 1 TiB.
    private static let contentByteCountMax: UInt64 = 1 << 40

    init(_ store: OpenVault, _ note: NoteID, _ added: AddedFile, _ passed: PassedDescriptor) throws(VaultError) {
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
                    byteCountMax: Self.contentByteCountMax, progress: goesOn)
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

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else {
            connection.send(
                .progress, Progress(label: "sealing", done: work.done, total: byteCountMax, isBytes: true).encoded)
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
