// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AgeStanza` is the file key wrapped for one recipient.
///
///     -> argument SP argument…
///     base64 of the body, in lines of 64; the last one is shorter, empty if need be
///
/// Spec: c2sp.org/age, "Recipient stanza".
struct AgeStanza {
    static let lineByteCount = 64
    /// Each of one or more visible ASCII characters.
    let arguments: [[UInt8]]
    let body: [UInt8]

    /// `Kind` is what we know how to unwrap. Its sizes and forms are right.
    enum Kind {
        case x25519(share: [UInt8])
        /// `workFactor` is `Int.max` when it has more than two digits.
        case scrypt(salt: [UInt8], workFactor: Int)
        /// Meant for others, or for nobody: to be ignored.
        case other
    }

    var encoded: [UInt8] {
        var text = Array("->".utf8)
        for argument in arguments { text += [UInt8(ascii: " ")] + argument }
        text.append(UInt8(ascii: "\n"))
        let line = Self.lineByteCount / 4 * 3
        for begin in stride(from: 0, through: body.count, by: line) {
            AgeBase64.encode(body[begin..<min(begin + line, body.count)], padded: false, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// Reads the kind of the stanza.
    ///
    /// - Throws: `AgeError.damaged` for a stanza of our kinds that is not exactly as its specification says, whether or
    ///   not it is for us.
    func kind() throws(AgeError) -> Kind {
        switch String(decoding: arguments[0], as: UTF8.self) {
        case "X25519":
            guard arguments.count == 2, let share = AgeBase64.decode(arguments[1][...]),
                share.count == X25519.byteCount,
                body.count == AgeKeys.wrappedByteCount
            else { throw AgeError(.damaged, in: .header) }
            return .x25519(share: share)
        case "scrypt":
            guard arguments.count == 3, let salt = AgeBase64.decode(arguments[1][...]),
                salt.count == AgePassphrase.saltByteCount,
                let workFactor = Self.workFactor(arguments[2]), body.count == AgeKeys.wrappedByteCount
            else { throw AgeError(.damaged, in: .header) }
            return .scrypt(salt: salt, workFactor: workFactor)
        default: return .other
        }
    }

    /// Reads digits without a sign or leading zeros.
    private static func workFactor(_ text: [UInt8]) -> Int? {
        guard text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let first = text.first, first != 0x30 else { return nil }
        return text.count <= 2 ? text.reduce(0) { $0 * 10 + Int($1 - 0x30) } : Int.max
    }
}
