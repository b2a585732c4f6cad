// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// `PageTarget` is what a page shows at once, when it is opened for that.
enum PageTarget: Equatable {
    case list
    case note(String)
    case drawing(String)

    /// How an address of a note begins: `vault://note/ID`.
    static let scheme = "vault://note/"

    /// Reads an address of a note.
    ///
    /// - Throws: `.usage` for anything else.
    static func address(_ text: String) throws(ClientFailure) -> PageTarget {
        var rest = text.hasPrefix(scheme) ? text.dropFirst(scheme.count) : ""
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let target = PageTarget(parsing: "n" + rest), target != .list else {
            throw .usage(
                "'\(VisibleText.escaped(text))' is no address of a note", hint: "vault open vault://note/ID")
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
