// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `StoreFailure` says why a store did not do what it was asked. It has numbers and no words: nothing that a store or
/// an owner wrote.
public struct StoreFailure: Error, Sendable, Equatable {
    /// The cases are the reasons. Their numbers are those of the protocol.
    public enum Code: UInt8, CaseIterable, Sendable {
        /// There is nothing under this name, or so it says.
        case absent = 1
        /// The folder or bucket of the remote itself is not there: not mounted, emptied, or another one.
        case missing = 2
        /// It does not accept the credential: 401, or an unknown key.
        case unauthorized = 3
        /// It accepts the credential, but refuses the request.
        case refused = 4
        /// No answer could be had.
        case unreachable = 5
        /// An answer did not come, or came too slowly.
        case timedOut = 6
        /// There is no room left.
        case quota = 7
        /// What it answers is larger than anything of ours.
        case tooLarge = 8
        /// It names another place, where we do not go.
        case redirected = 9
        /// It asks to be left alone for a while.
        case throttled = 10
        /// It says that it is broken: 5xx.
        case failing = 11
        /// Nobody vouches for it: its certificate, or no TLS at all.
        case untrusted = 12
        /// Its answer is not what the protocol says: cut, contradicting, or not to be parsed.
        case malformed = 13
        /// This machine's clock differs from the store's by more than it takes.
        case clock = 14
        /// This kind of remote cannot do that.
        case unsupported = 15
        /// The file that was handed over cannot be read or written.
        case local = 16
        /// The sign-in is no longer valid: the owner must sign in again.
        case signedOut = 17
        /// The program that reaches the remote is not there, is older than it may be, or ended.
        case noProgram = 18
    }

    public let code: Code
    /// An HTTP status, an errno or a code of libcurl's, for a report; 0 when there is none.
    public let detail: Int32
    /// How long the store asks to be left alone, in seconds.
    public let retryAfter: UInt32

    public init(_ code: Code, detail: Int32 = 0, retryAfter: UInt32 = 0) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// Whether the same request may do better later, with nothing changed on this side.
    public var isPassing: Bool {
        switch code {
        case .unreachable, .timedOut, .throttled, .failing, .quota, .malformed, .missing, .tooLarge: true
        case .absent, .unauthorized, .refused, .redirected, .untrusted, .clock, .unsupported, .local, .signedOut,
            .noProgram:
            false
        }
    }
}
