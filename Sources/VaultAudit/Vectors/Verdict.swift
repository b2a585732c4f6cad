// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// What the code under test made of one test.
enum Verdict {
    case accepted
    /// It came to another outcome than the test says.
    case differs(String)
    case refused(stage: String?, error: String?, cause: RefusalCause? = nil)
    /// Nothing of ours does this.
    case skipped(String)

    /// A thrown error as a verdict.
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

    /// Accepted when all comparisons hold; otherwise the first that does not.
    static func comparing(_ parts: [(String, Bool)]) -> Verdict {
        parts.first { !$0.1 }.map { .differs($0.0) } ?? .accepted
    }
}
