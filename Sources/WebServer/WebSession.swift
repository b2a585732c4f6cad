// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import NIOConcurrencyHelpers

/// `WebSession` knows the one browser that may ask: the one that came first with the token.
///
/// A browser keeps the session's key in a cookie that no script reads and no other site's page sends. Spec:
/// docs/web-protocol.md §4.
final class WebSession: Sendable {
    /// `__Host-`: of this host alone, and never set by another one.
    static let cookieName = "__Host-vault"
    /// The field that has the key where the page's address is a number.
    static let fieldName = "x-vault-key"
    /// Wrong tokens after which the server ends.
    static let wrongCountMax = 3
    private static let keyByteCount = 32
    /// A token that nobody used in this time is worth nothing.
    static let tokenSecondsMax = 30.0

    private struct State {
        var token: [UInt8]?
        /// By the clock that goes on while the machine sleeps.
        var tokenBegan = BootTime.seconds
        var key: [UInt8]?
        var wrongCount = 0
    }

    private let state: NIOLockedValueBox<State>

    init(token: [UInt8]) { state = NIOLockedValueBox(State(token: token)) }

    enum Opening: Equatable {
        /// The session's key.
        case opened(String)
        case refused
        /// Somebody guesses.
        case ended
    }

    /// Takes a token, which counts once.
    func open(_ text: [UInt8]) -> Opening {
        state.withLockedValue { state in
            guard let token = state.token, BootTime.seconds - state.tokenBegan <= Self.tokenSecondsMax,
                Self.isEqual(Self.hex(token), text)
            else {
                state.wrongCount += 1
                return state.wrongCount >= Self.wrongCountMax ? .ended : .refused
            }
            state.token = nil
            var random = SystemRandomNumberGenerator()
            let key = (0..<Self.keyByteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
            let value = Self.hex(key)
            state.key = value
            return .opened(String(decoding: value, as: UTF8.self))
        }
    }

    /// Lets a new window in: the next token counts, and the window before is out once it does.
    func renew(_ token: [UInt8]) {
        state.withLockedValue { ($0.token, $0.tokenBegan, $0.wrongCount) = (token, BootTime.seconds, 0) }
    }

    /// Returns whether a field has this session's key and nothing else, and is there once.
    func knows(fields: [String]) -> Bool {
        guard fields.count == 1, let key = state.withLockedValue({ $0.key }) else { return false }
        return Self.isEqual(key, Array(fields[0].utf8))
    }

    /// Returns whether a cookie field has this session's key, and once.
    func knows(_ field: String?) -> Bool {
        guard let field, let key = state.withLockedValue({ $0.key }) else { return false }
        let values = field.split(separator: ";").compactMap { part -> Substring? in
            let pair = part.drop { $0 == " " }
            guard pair.hasPrefix(Self.cookieName + "=") else { return nil }
            return pair.dropFirst(Self.cookieName.count + 1)
        }
        guard values.count == 1 else { return false }
        return Self.isEqual(key, Array(values[0].utf8))
    }

    /// Compares in a time that does not depend on where two texts differ.
    private static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func hex(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
