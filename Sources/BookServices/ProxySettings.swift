// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ProxySettings` is the proxy that the environment names, and the hosts that are asked without it.
///
/// Who decides is this and not libcurl, so that it is known whether the machine at the other end is the proxy or the
/// server: a proxy may stand in a private network, and a server may not. An address of this machine is never asked
/// through a proxy.
public struct ProxySettings: Sendable, Hashable {
    /// The longest text, in bytes.
    public static let byteCountMax = 4096
    public static let none = ProxySettings()
    private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// As libcurl reads it; empty for none.
    public let server: String
    /// The proxy's port.
    public let port: UInt16
    /// Hosts and ends of hosts with commas between them; `*` is all.
    public let exceptions: String

    private init() { (server, port, exceptions) = ("", 0, "") }

    /// Takes the texts as the variables have them.
    ///
    /// - Returns: nil for a proxy that is no address: to do without it would go a way that the person has closed.
    public init?(server: String, except exceptions: String = "") {
        let texts = [server, exceptions]
        guard texts.allSatisfy({ $0.utf8.count <= Self.byteCountMax && $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } })
        else { return nil }
        guard !server.isEmpty else {
            guard exceptions.isEmpty else { return nil }
            self = .none
            return
        }
        guard !server.contains(" "), let port = Self.port(of: server) else { return nil }
        (self.server, self.port, self.exceptions) = (server, port, exceptions)
    }

    /// Takes the proxy for https from an environment: `https_proxy`, else `all_proxy`, and `no_proxy`, in small letters
    /// or large ones.
    ///
    /// - Parameter value: of a variable; nil when it is not set.
    /// - Returns: nil for a proxy that is no address.
    public static func inEnvironment(_ value: (String) -> String?) -> ProxySettings? {
        func either(_ name: String) -> String {
            [name, name.uppercased()].lazy.compactMap(value).first { !$0.isEmpty } ?? ""
        }
        let server = either("https_proxy").isEmpty ? either("all_proxy") : either("https_proxy")
        return server.isEmpty ? ProxySettings.none : ProxySettings(server: server, except: either("no_proxy"))
    }

    /// Returns whether an address is asked through the proxy.
    public func isUsed(for address: FetchAddress) -> Bool {
        guard !server.isEmpty, !address.isThisMachine else { return false }
        let names = exceptions.lowercased().split { $0 == "," || $0 == " " }
        return !names.contains { name in
            guard name != "*" else { return true }
            let name = name.drop { $0 == "." }
            return !name.isEmpty && (address.host == name || address.host.hasSuffix("." + name))
        }
    }

    /// Returns the port that a proxy's address names, or that libcurl takes without one.
    private static func port(of server: String) -> UInt16? {
        var rest = server[...]
        var scheme = "http"
        if let mark = rest.range(of: "://") {
            scheme = rest[..<mark.lowerBound].lowercased()
            rest = rest[mark.upperBound...]
        }
        guard schemes.contains(scheme) else { return nil }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.isEmpty, !rest.contains("/"), !rest.contains("?"), !rest.contains("#") else { return nil }
        let standard: UInt16 = scheme == "https" ? 443 : 1080
        guard let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") else { return standard }
        guard colon > rest.startIndex, let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else {
            return nil
        }
        return port
    }
}

extension Substring {
    /// Returns where a text first stands.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
