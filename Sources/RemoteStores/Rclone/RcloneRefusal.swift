// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol

/// `RcloneRefusal` reads why rclone did not do something. Its status is 404 for what is not there and 500 for all else,
/// so the words of its error are looked at: each backend has its own, and these are in all that were seen.
enum RcloneRefusal {
    private static let words: [(StoreFailure.Code, [String])] = [
        (.untrusted, ["x509", "tls:"]),
        (.timedOut, ["i/o timeout", "deadline exceeded", "timeout awaiting"]),
        (.unreachable, ["connection refused", "no such host", "unreachable", "connection reset"]),
        (.throttled, ["429", "503", "ratelimit", "rate limit", "too_many", "too many requests", "slowdown"]),
        (.quota, ["507", "quota", "insufficient", "no space left"]),
        (
            .signedOut,
            [
                "401", "invalid_grant", "empty token", "token expired", "trust token", "unable to authenticate",
                "signaturedoesnotmatch", "invalidaccesskeyid",
            ]
        ),
        (.refused, ["403", "423", "forbidden", "accessdenied", "permission denied"]),
        (.tooLarge, ["413"]),
    ]

    static func failure(_ answer: Transfer.Answer, else failure: StoreFailure) -> StoreFailure {
        guard answer.status >= 400 else { return failure }
        let detail = Int32(clamping: answer.status)
        // A verb that this rclone does not know is 404 too, and has a name in its error.
        let error = (JSONAnswer(answer.refusalText)?["error"]?.text ?? "").lowercased()
        if answer.status == 404 {
            guard !error.contains("couldn't find method") else { return StoreFailure(.noProgram, detail: detail) }
            // Others than rclone say 404 too, in words of their own.
            return StoreFailure(error.hasSuffix("not found") ? .absent : .malformed, detail: detail)
        }
        // Addresses and names of files have numbers too: one counts as a word of its own.
        let parted = Set(error.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init))
        let says = { (part: String) in part.allSatisfy(\.isNumber) ? parted.contains(part) : error.contains(part) }
        for (code, parts) in words where parts.contains(where: says) {
            return StoreFailure(code, detail: detail)
        }
        return StoreFailure(.failing, detail: detail)
    }
}
