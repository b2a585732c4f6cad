// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import BookServices

/// `RefusalWords` finds out of an error's body why a service refuses. It looks for the words that Google's errors have,
/// and reads nothing else in it.
enum RefusalWords {
    /// A longer body is not looked at, in bytes.
    static let byteCountMax = 64 << 10

    private static let quota = [
        "dailyLimitExceeded", "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "RESOURCE_EXHAUSTED",
        "Quota exceeded",
    ]
    private static let country = ["unknownLocation", "geographically restricted"]
    private static let key = [
        "keyInvalid", "keyExpired", "API_KEY_", "API key", "accessNotConfigured", "SERVICE_DISABLED",
        "ipRefererBlocked", "has not been used in project",
    ]

    /// Returns what the body of a status that refuses says.
    ///
    /// - Parameter status: 400 to 499.
    static func outcome(of body: [UInt8], status: Int, retryAfter: UInt32) -> FetchAnswer.Outcome {
        let text = String(decoding: body, as: UTF8.self)
        func has(_ words: [String]) -> Bool { words.contains { text.contains($0) } }
        if has(quota) { return .quota(retryAfter: retryAfter) }
        if has(country) { return .refused(.country) }
        return .refused(has(key) || status == 401 ? .key : .unsaid)
    }
}
