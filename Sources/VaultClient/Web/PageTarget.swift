// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import TextReading

/// `PageTarget` is what a page shows at once, when it is opened for that.
enum PageTarget: Equatable {
    case list
    case note(String)
    case drawing(String)
    /// Lines for a new note, which its owner is asked about.
    case handed(String)

    /// How an address of a note begins: `vault://note/ID`.
    static let scheme = "vault://note/"
    /// How what another program hands over begins: `vault://new?title=…&url=…`.
    static let newScheme = "vault://new?"
    /// Of lines that are handed over, encoded.
    static let byteCountMax = 4096

    /// Reads an address of a note, or what another program hands over.
    ///
    /// - Throws: `.usage` for anything else.
    static func address(_ text: String) throws(ClientFailure) -> PageTarget {
        if text.hasPrefix(newScheme), let target = new(text.dropFirst(newScheme.count)) { return target }
        var rest = text.hasPrefix(scheme) ? text.dropFirst(scheme.count) : ""
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let target = PageTarget(parsing: "n" + rest), target != .list else {
            throw .usage(
                "'\(VisibleText.escaped(text))' is not the address of a note", hint: "vault open vault://note/ID")
        }
        return target
    }

    /// Reads what stands in an address of the page and in an order to the one that is open: one letter and an
    /// identifier; nothing for the list. What is no identifier has no place there.
    init?(parsing text: some StringProtocol) {
        guard let first = text.first else {
            self = .list
            return
        }
        let name = String(text.dropFirst())
        if first == "s" {
            guard Self.isEncoded(name) else { return nil }
            self = .handed(name)
            return
        }
        let isPlain = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
        guard isPlain, (1...64).contains(name.utf8.count) else { return nil }
        switch first {
        case "n": self = .note(name)
        case "d": self = .drawing(name)
        default: return nil
        }
    }

    /// As `init(parsing:)` reads it.
    var text: String {
        switch self {
        case .list: ""
        case .note(let name): "n" + name
        case .drawing(let name): "d" + name
        case .handed(let lines): "s" + lines
        }
    }

    /// Reads title and address; nil when there is neither, or more than there may be.
    private static func new(_ query: some StringProtocol) -> PageTarget? {
        var lines: [String: String] = [:]
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ["title", "url"].contains(parts[0]), lines[String(parts[0])] == nil,
                let value = PercentCoding.decoded(parts[1])
            else { return nil }
            lines[String(parts[0])] = value
        }
        if let url = lines["url"], !url.hasPrefix("https://"), !url.hasPrefix("http://") { return nil }
        let text = [lines["title"], lines["url"]].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n")
        let encoded = PercentCoding.encoded(text)
        if encoded.utf8.count <= byteCountMax { return text.isEmpty ? nil : .handed(encoded) }
        // The address finds the title again.
        let address = PercentCoding.encoded(lines["url"] ?? "")
        return address.isEmpty || address.utf8.count > byteCountMax ? nil : .handed(address)
    }

    private static func isEncoded(_ text: String) -> Bool {
        (1...byteCountMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x25, 0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            }
    }

    /// What stands behind the token in the page's address.
    var fragment: String { text.isEmpty ? "" : "&\(text.prefix(1))=\(text.dropFirst())" }
}

/// `WindowChoice` is what the setting `web.window` asks for.
public enum WindowChoice: String, Sendable, CaseIterable {
    /// A window of its own, whose profile is in memory.
    case `private`
    /// The usual browser.
    case browser
}
