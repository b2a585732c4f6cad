// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol

/// `DropboxCommits` stores and removes files. Dropbox lets one change of an account happen at a time and refuses others
/// meanwhile, so here it is one at a time too: the first file is stored by itself; what comes while that is under way
/// is brought to Dropbox at once, and put into its places by one request together.
///
/// Source: Dropbox's guide on rate limits and data ingress.
final class DropboxCommits {
    private struct Upload {
        let path: String
        let file: PassedFile
        let byteCount: Int
        let hash: String
        let done: RemoteStore.Done
    }

    private let session: DropboxSession
    private let limits: StoreLimits
    /// Something of the account is being changed.
    private var isCommitting = false
    /// Brought, and not in their places.
    private var brought: [(upload: Upload, session: String)] = []
    private var removals: [(path: String, done: RemoteStore.Done)] = []
    /// Files in one request; Dropbox takes 1,000.
    private static let batchMax = 64

    init(_ session: DropboxSession, _ limits: StoreLimits) { (self.session, self.limits) = (session, limits) }

    func put(_ path: String, from file: PassedFile, byteCount: Int, _ done: @escaping RemoteStore.Done) {
        guard let hash = ContentHash.text(of: file.descriptor, byteCount: byteCount) else {
            return done(.failure(StoreFailure(.local)))
        }
        let upload = Upload(path: path, file: file, byteCount: byteCount, hash: hash, done: done)
        if isCommitting { bring(upload) } else { putAlone(upload) }
    }

    func remove(_ path: String, _ done: @escaping RemoteStore.Done) {
        removals.append((path, done))
        goOn()
    }

    private func putAlone(_ upload: Upload) {
        isCommitting = true
        let argument =
            #"{"path":\#(JSONAnswer.quoted(upload.path)),"# + Self.mode + #","content_hash":"\#(upload.hash)"}"#
        session.call(
            "files/upload", on: .content, argument, .file(upload.file, byteCount: upload.byteCount),
            seconds: limits.seconds(byteCount: upload.byteCount)
        ) { [self] answer in
            end(upload, answer.failure ?? Self.mismatch(answer.json?["content_hash"], upload))
            isCommitting = false
            goOn()
        }
    }

    /// Brings the content; where it goes is said later.
    private func bring(_ upload: Upload) {
        session.call(
            "files/upload_session/start", on: .content, #"{"close":true,"content_hash":"\#(upload.hash)"}"#,
            .file(upload.file, byteCount: upload.byteCount), seconds: limits.seconds(byteCount: upload.byteCount)
        ) { [self] answer in
            if let failure = answer.failure { return end(upload, failure) }
            guard let name = answer.json?["session_id"]?.text, Self.isToken(name) else {
                return end(upload, StoreFailure(.malformed))
            }
            brought.append((upload, name))
            goOn()
        }
    }

    private func goOn() {
        guard !isCommitting else { return }
        if !brought.isEmpty {
            let batch = Array(brought.prefix(Self.batchMax))
            brought.removeFirst(batch.count)
            return commit(batch)
        }
        guard !removals.isEmpty else { return }
        let (path, done) = removals.removeFirst()
        isCommitting = true
        session.call(
            "files/delete_v2", #"{"path":\#(JSONAnswer.quoted(path))}"#, seconds: limits.seconds(byteCount: 0)
        ) { [self] answer in
            done(answer.failure.map { $0.code == .absent ? .success(0) : .failure($0) } ?? .success(0))
            isCommitting = false
            goOn()
        }
    }

    private func commit(_ batch: [(upload: Upload, session: String)]) {
        isCommitting = true
        let entries = batch.map { upload, session in
            #"{"cursor":{"session_id":"\#(session)","offset":\#(upload.byteCount)},"commit":{"path":"#
                + JSONAnswer.quoted(upload.path) + "," + Self.mode + "}}"
        }
        session.call(
            "files/upload_session/finish_batch_v2", #"{"entries":[\#(entries.joined(separator: ","))]}"#,
            seconds: limits.seconds(byteCount: 0)
        ) { [self] answer in
            let results = answer.json?["entries"]?.items
            for (at, (upload, _)) in batch.enumerated() {
                if let failure = answer.failure { end(upload, failure); continue }
                guard let results, results.count == batch.count else { end(upload, StoreFailure(.malformed)); continue }
                end(upload, Self.failure(results[at], upload))
            }
            isCommitting = false
            goOn()
        }
    }

    /// Says why one file of a batch did not come to its place.
    private static func failure(_ result: JSONAnswer.Value, _ upload: Upload) -> StoreFailure? {
        guard result.tag == "success" else {
            return DropboxRefusal(result["failure"]).failure(status: 409, else: StoreFailure(.refused, detail: 409))
        }
        return mismatch(result["content_hash"], upload)
    }

    /// Says that what Dropbox has is not what was sent.
    private static func mismatch(_ hash: JSONAnswer.Value?, _ upload: Upload) -> StoreFailure? {
        hash?.text == upload.hash ? nil : StoreFailure(.malformed, detail: 200)
    }

    private func end(_ upload: Upload, _ failure: StoreFailure?) {
        // Nothing is read at the place of a file that is put: absent can only be the place itself.
        upload.done(
            failure.map { .failure($0.code == .absent ? StoreFailure(.missing, detail: $0.detail) : $0) } ?? .success(0)
        )
    }

    /// The same name has the same bytes for ever, so what lies there may be overwritten: it can only be torn. People
    /// are not told of each file on their desktops.
    private static let mode = #""mode":"overwrite","mute":true"#

    /// Whether a word of the server's may stand in JSON as it is.
    static func isToken(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
