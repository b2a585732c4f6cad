// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RemoteAddress` is the address of a remote: `https://host[:port]/path`, and `http://` on this machine alone.
///
/// It is stricter than a URL: no user, no query, no fragment, no empty, `.` or `..` parts. So what is put behind it
/// stays below it, and libcurl finds nothing in it to interpret.
public struct RemoteAddress: Sendable, Equatable {
    /// The longest one, in bytes.
    public static let byteCountMax = 2048

    /// As it is asked for, without a `/` at its end.
    public let text: String
    public let host: String
    public let port: UInt16
    /// Whether it is reached by TLS.
    public let isSecure: Bool

    /// Reads an address; nil for anything else, also for plain `http` to another machine.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.byteCountMax, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var rest = text[...]
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        self.text = String(rest)
        guard let scheme = ["https://", "http://"].first(where: { rest.hasPrefix($0) }) else { return nil }
        isSecure = scheme == "https://"
        rest = rest.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = Self.hostAndPort(authority, standard: isSecure ? 443 : 80) else { return nil }
        self.host = host
        self.port = port
        let parts = rest.dropFirst(authority.count).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.allSatisfy(Self.isPart), isSecure || isThisMachine else { return nil }
    }

    /// Whether packets to it cannot leave this machine. libcurl never asks a server for `localhost`.
    public var isThisMachine: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        // In their one form: a zero before a number would make it octal for others.
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map(Self.decimal)
        return numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { ($0 ?? .max) < 256 }
    }

    private static func hostAndPort(_ text: Substring, standard: UInt16) -> (String, UInt16)? {
        var host = text
        var port = standard
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
            guard let number = decimal(text[text.index(after: colon)...]), number > 0 else { return nil }
            (host, port) = (text[..<colon], number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = host.dropFirst().dropLast()
            guard inner.count > 1, inner.allSatisfy({ $0 == ":" || $0 == "." || $0.isHexDigit }) else { return nil }
            return (String(host), port)
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.allSatisfy { ($0.isLetter || $0.isNumber) && $0.isASCII || $0 == "-" || $0 == "_" }
        }
        return isName && host.utf8.count <= 253 ? (String(host), port) : nil
    }

    /// Reads a number in its one form: no sign, no zero before it.
    private static func decimal(_ text: Substring) -> UInt16? {
        guard let number = UInt16(text), String(number) == text else { return nil }
        return number
    }

    /// Allows characters that stand for themselves in a path, and those that are written as `%` and two digits.
    private static func isPart(_ part: Substring) -> Bool {
        let bytes = Array(part.utf8)
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%") {
                guard at + 2 < bytes.count, let code = UInt8(part.dropFirst(at + 1).prefix(2), radix: 16) else {
                    return false
                }
                // A letter, a dot or a slash has no second form here.
                guard code >= 0x20, code != 0x7F, !"./\\".utf8.contains(code) else { return false }
                at += 3
            } else {
                guard isPlain(bytes[at]) else { return false }
                at += 1
            }
        }
        return !part.isEmpty && part != "." && part != ".."
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }
}
