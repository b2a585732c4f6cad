// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FetchAddress` is an address that `vault-fetch` may ask: `https://host[:port]/path?query`, and `http://` on this
/// machine alone.
///
/// It is stricter than a URL: no user, no fragment, a host that is a name or a loopback address, and characters that
/// no reader of addresses takes for something else.
public struct FetchAddress: Sendable, Hashable {
    /// The longest one, in bytes.
    public static let byteCountMax = 4096

    /// As it is asked for.
    public let text: String
    /// In small letters.
    public let host: String
    public let port: UInt16
    /// Whether it is reached by TLS.
    public let isSecure: Bool
    /// What stands behind host and port, from the first `/` or `?` on.
    let target: String

    /// Reads an address; nil for anything else, also for plain `http` to another machine.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.byteCountMax, text.utf8.allSatisfy(Self.isPlain) else { return nil }
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        isSecure = scheme == "https://"
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = Self.hostAndPort(authority.lowercased(), standard: isSecure ? 443 : 80) else {
            return nil
        }
        (self.host, self.port) = (host, port)
        target = String(rest.dropFirst(authority.count))
        self.text = scheme + authority.lowercased() + target
        guard isSecure || isThisMachine else { return nil }
    }

    /// Whether packets to it cannot leave this machine. libcurl never asks a server for `localhost`.
    public var isThisMachine: Bool { host == "localhost" || host == "[::1]" || Self.isLoopback(host) }

    /// Whether another address is on the same server, reached in the same way.
    public func isSameServer(as other: FetchAddress) -> Bool {
        host == other.host && port == other.port && isSecure == other.isSecure
    }

    /// Reads an address that a server gave: one of plain `http`, on the usual port, is asked for by `https`.
    public static func secured(_ text: String) -> FetchAddress? {
        if let address = FetchAddress(text) { return address }
        guard text.lowercased().hasPrefix("http://"), let address = FetchAddress("https://" + text.dropFirst(7)) else {
            return nil
        }
        guard address.port == 80 else { return address.port == 443 ? address : nil }
        return FetchAddress("https://\(address.host)\(address.target)")
    }

    private static func hostAndPort(_ text: String, standard: UInt16) -> (String, UInt16)? {
        if text == "[::1]" || text.hasPrefix("[::1]:") {
            guard text.count > 6 else { return text.count == 5 ? (text, standard) : nil }
            return number(text.dropFirst(6)).map { ("[::1]", $0) }
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first.map(String.init), isName(host) else { return nil }
        guard parts.count == 2 else { return (host, standard) }
        return number(parts[1]).map { (host, $0) }
    }

    private static func isName(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let areNames = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
        guard areNames, host.utf8.count <= 253 else { return false }
        // No name ends with a number; an address in numbers has to be one of this machine, in its one form.
        let isNumeric = labels.last.map { $0.utf8.first.map { (0x30...0x39).contains($0) } ?? false } ?? false
        return !isNumeric || isLoopback(host)
    }

    private static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0) }
        let isCanonical = numbers.compactMap { $0.map(String.init) }.joined(separator: ".") == host
        return numbers.count == 4 && numbers[0] == 127 && isCanonical && numbers.allSatisfy { ($0 ?? .max) < 256 }
    }

    private static func number(_ text: Substring) -> UInt16? {
        guard let number = UInt16(text), number > 0, String(number) == text else { return nil }
        return number
    }

    /// Allows the characters that an address may have (RFC 3986), without those of a user and a fragment.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?[]!$&'()*+,;=%".utf8.contains(byte)
        }
    }
}
