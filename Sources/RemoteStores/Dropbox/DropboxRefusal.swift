// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol

/// `DropboxRefusal` reads why Dropbox did not do something: an error with tags in tags, and sometimes a time to wait.
///
/// Source: the error types of the HTTP reference. Its summary ends in dots of which nobody can say how many, so the
/// tags alone are looked at.
struct DropboxRefusal {
    /// Outermost first: of a file that is not there `path`, `not_found`.
    let tags: [String]
    private let seconds: Int

    init(_ bytes: [UInt8]) {
        let answer = JSONAnswer(bytes)
        let error = answer?["error"]
        seconds = error?["retry_after"]?.number ?? 0
        tags = Self.tags(error)
    }

    /// Reads the tags of an error, or of one entry of a batch.
    init(_ error: JSONAnswer.Value?) { (tags, seconds) = (Self.tags(error), 0) }

    private static func tags(_ error: JSONAnswer.Value?) -> [String] {
        // Of rate limits the reason is the tag.
        var (tags, next) = ([String](), error?["reason"]?.tag == nil || error?.tag != nil ? error : error?["reason"])
        while let value = next, let tag = value.tag, tags.count < 4 {
            tags.append(tag)
            // A struct stands beside its tag; only of one that failed to write is the reason there.
            next = value[tag] ?? (tags.count == 1 ? value["reason"] : nil)
        }
        return tags
    }

    /// Whether there is nothing under the path.
    var isAbsent: Bool { tags == ["path", "not_found"] || tags == ["path_lookup", "not_found"] }

    /// Returns what it means.
    ///
    /// - Parameters:
    ///   - status: of the answer; 409 for an entry of a batch.
    ///   - failure: what its status means by itself.
    func failure(status: Int, else failure: StoreFailure) -> StoreFailure {
        let detail = Int32(clamping: status)
        if tags.contains("insufficient_space") { return StoreFailure(.quota, detail: detail) }
        if tags.contains("too_many_write_operations") || status == 429 {
            let asked = max(failure.retryAfter, UInt32(clamping: max(seconds, 1)))
            return StoreFailure(.throttled, detail: detail, retryAfter: asked)
        }
        if status == 401 { return StoreFailure(.signedOut, detail: detail) }
        guard status == 409 else { return failure }
        if isAbsent { return StoreFailure(.absent, detail: detail) }
        switch tags.first {
        case "content_hash_mismatch", "lookup_failed", "reset": return StoreFailure(.malformed, detail: detail)
        // Dropbox says why, always.
        case nil: return StoreFailure(.malformed, detail: detail)
        case "payload_too_large": return StoreFailure(.tooLarge, detail: detail)
        default: return StoreFailure(.refused, detail: detail)
        }
    }
}
