// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `Verdict` says what the code under test made of one test.
enum Verdict {
    case accepted
    /// The outcome is not the one that the test states.
    case differs(String)
    case refused(stage: String?, error: String?, cause: RefusalCause? = nil)
    /// We have no code for this test.
    case skipped(String)

    /// Makes a verdict of a thrown error.
    ///
    /// - Throws: `VectorFault`, and what is neither acceptance nor refusal, such as a lack of memory.
    init(_ error: any Error) throws {
        switch error {
        case let refusal as Refusal:
            self = .refused(stage: refusal.stage, error: refusal.error)
        case let format as FormatError:
            self = .refused(stage: "parse", error: FormatErrorName.of(format.code))
        case let crypto as CryptoError where crypto.code != .outOfMemory:
            self = .refused(
                stage: nil, error: nil,
                cause: crypto.code == .badSize ? .size : crypto.code == .notAuthentic ? .tag : nil)
        default:
            throw error
        }
    }

    /// How a failure is told.
    var words: String {
        switch self {
        case .accepted: "accepted"
        case .differs(let what): "its outcome differs: \(what)"
        case .refused(let stage, let error, _):
            "refused" + (stage.map { " at \($0)" } ?? "") + (error.map { " with \($0)" } ?? "")
        case .skipped(let why): "skipped: \(why)"
        }
    }

    /// Returns accepted when all comparisons hold; otherwise the first that does not.
    static func comparing(_ parts: [(String, Bool)]) -> Verdict {
        parts.first { !$0.1 }.map { .differs($0.0) } ?? .accepted
    }
}

/// A `Refusal` says that the code under test refused, at a step that Vectors/README.md names.
struct Refusal: Error {
    let stage: String
    let error: String?

    init(_ stage: String, error: String? = nil) {
        self.stage = stage
        self.error = error
    }
}

/// `RefusalCause` says what a test was refused for, where it makes a difference: a wrapper that refuses every other
/// size has not shown that it looks at tags.
enum RefusalCause: String, CaseIterable, Sendable {
    case size
    case tag
    case zeroSharedSecret

    /// What stands after "refused N" in a report.
    var words: String {
        switch self {
        case .size: "for a size: the key, nonce or tag has one that the construction does not take here"
        case .tag: "for a tag or commitment that does not match"
        case .zeroSharedSecret: "for a shared secret of zeros: a point of low order, which age must not use"
        }
    }
}

/// `FormatErrorName` knows the names of parsing errors, as vectors and reports write them.
enum FormatErrorName {
    private static let names: [FormatError.Code: String] = [
        .truncated: "truncated", .trailingBytes: "trailingBytes", .tooLarge: "tooLarge", .notUTF8: "notUTF8",
        .notCanonical: "notCanonical", .badMagic: "badMagic", .unknownVersion: "unknownVersion",
        .unknownFeature: "unknownFeature", .unknownKind: "unknownKind", .costOutOfRange: "costOutOfRange",
        .allZero: "allZero", .duplicate: "duplicate",
    ]

    static func of(_ code: FormatError.Code) -> String { names[code] ?? "unknown" }
}
