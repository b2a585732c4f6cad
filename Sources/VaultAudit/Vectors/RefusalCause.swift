// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a test was refused for, where it makes a difference: a wrapper that refuses every other size has not shown that
/// it looks at tags.
enum RefusalCause: String, CaseIterable, Sendable {
    case size
    case tag
    case zeroSharedSecret

    /// After "refused N".
    var words: String {
        switch self {
        case .size: "for a size: the key, nonce or tag has one that the construction does not take here"
        case .tag: "for a tag or commitment that does not match"
        case .zeroSharedSecret: "for a shared secret of zeros: a point of low order, which age must not use"
        }
    }
}
