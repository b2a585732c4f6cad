// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `GetJob` opens an attachment into a client's file or pipe, on a thread of its own. The client gives the file its
/// name after our last word.
final class GetJob: Job {
    private let work: Background<Result<Void, ObjectError>>
    private let total: UInt64

    /// Starts to copy the attachment, or a range of it, to the client's descriptor.
    ///
    /// - Throws: `VaultError.badRange` for bytes that are not there.
    init(_ content: AttachmentContent, of note: NoteID, _ range: ByteRange?, _ passed: PassedDescriptor)
        throws(VaultError)
    {
        self.note = note
        let byteCount = content.details.byteCount
        var wanted = 0..<byteCount
        if let range {
            let (end, overflows) = range.offset.addingReportingOverflow(range.count)
            guard !overflows, range.offset <= byteCount else { throw VaultError(.badRange) }
            wanted = range.offset..<min(end, byteCount)
        }
        total = UInt64(wanted.count)
        work = Background { [wanted] goesOn in
            do throws(ObjectError) {
                return .success(try content.reader().copy(wanted, to: passed.descriptor, progress: goesOn))
            } catch { return .failure(error) }
        }
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }
    let note: NoteID?

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else {
            connection.send(.progress, Progress(label: "opening", done: work.done, total: total, isBytes: true).encoded)
            return nil
        }
        do throws(ObjectError) {
            try result.get()
            return Outcome(.ok)
        } catch { return error.outcome(.writing) }
    }
}
