// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import SealedObjects
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `StageJob` seals a file of an import as it arrives, on a thread of its own; it waits under its key for the notes
/// that name it. In a dry run it is only read.
final class StageJob: Job {
    private struct Made: Sendable {
        var sealed: SealedObject?
        var digest: [UInt8]?
        var byteCount: UInt64
    }

    private let session: ImportSession
    private let key: String
    private let file: NewObject?
    private let details: AttachmentDetails
    private let work: Background<Result<Made, ObjectError>>
    private static let patience = 60

    init(_ store: OpenVault, _ session: ImportSession, _ key: String, _ added: AddedFile, _ passed: PassedDescriptor)
        throws(VaultError)
    {
        self.session = session
        self.key = key
        let file = session.order.dryRun ? nil : try store.imports.newObject(stagedFor: nil)
        self.file = file
        var details = AttachmentDetails(
            kind: added.kind, name: AttachmentName.clean(added.name), mediaType: added.mediaType, byteCount: 0,
            created: added.created == 0 ? Machine.now : added.created)
        details.caption = added.caption
        (details.width, details.height) = (added.width, added.height)
        self.details = details
        work = Background { goesOn in
            do throws(ObjectError) {
                guard let file else { return .success(try Self.read(passed, goesOn)) }
                let sealed = try ObjectWriter.seal(
                    from: passed.descriptor, to: file.descriptor, layers: file.layers,
                    byteCountMax: AttachmentDetails.byteCountMax, progress: goesOn)
                // On disk before a transaction names it.
                do throws(VaultError) { try file.sync() } catch {
                    throw ObjectError(error.code == .readOnly ? .noRoom : .io)
                }
                return .success(Made(sealed: sealed, byteCount: sealed.contentByteCount))
            } catch { return .failure(error) }
        }
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else {
            connection.send(.progress, Progress(label: "sealing", done: work.done, total: 0, isBytes: true).encoded)
            return nil
        }
        do throws(ObjectError) {
            let made = try result.get()
            var details = details
            details.byteCount = made.byteCount
            session.staged[key] = StagedFile(file, made.sealed, details, digest: made.digest)
            return Outcome(.ok)
        } catch { return error.outcome(.reading) }
    }

    /// Reads how long it is and what is in it, for a dry run.
    private static func read(_ passed: PassedDescriptor, _ goesOn: (UInt64) -> Bool) throws(ObjectError) -> Made {
        guard let digest = try? RunningDigest() else { throw ObjectError(.libraryFailure) }
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        var count: UInt64 = 0
        var idle = 0
        while true {
            guard goesOn(count) else { throw ObjectError(.cancelled) }
            var waiting = pollfd(fd: passed.descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, 100) > 0 else {
                idle += 1
                guard idle < Self.patience * 10 else { throw ObjectError(.stalled) }
                continue
            }
            idle = 0
            let got = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(passed.descriptor, $0.baseAddress!, $0.count)
            }
            if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard got >= 0 else { throw ObjectError(.io, systemError: errno) }
            if got == 0 { break }
            count += UInt64(got)
            let added: Void? = unsafe chunk.withUnsafeBytes { raw in
                unsafe try? digest.add(UnsafeRawBufferPointer(rebasing: raw[0..<got]))
            }
            guard added != nil, count <= AttachmentDetails.byteCountMax else { throw ObjectError(.tooLarge) }
        }
        guard let result = try? digest.finish() else { throw ObjectError(.libraryFailure) }
        return Made(digest: result, byteCount: count)
    }
}
