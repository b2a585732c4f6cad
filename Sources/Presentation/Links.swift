// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText

extension ListLinks: Presented {
    public func present(_ reply: LinkList, on page: inout Page) {
        if page.style.json {
            let list = reply.links.enumerated().map { number, link in
                JSONText.object([
                    ("number", .count(number + 1)), ("kind", .string("\(link.kind)")), ("target", .string(link.target)),
                    ("label", .string(link.label)),
                ])
            }
            return page.json(.answer([("links", .array(list))]))
        }
        for (number, link) in reply.links.enumerated() {
            guard page.style.isTerminal else {
                page.tabbed([String(number + 1), "\(link.kind)", link.target])
                continue
            }
            var line = StyledLine()
            line.append("\(number + 1)", .dim)
            line.pad(to: 4)
            line.append("\(link.kind)", .dim)
            line.pad(to: 11)
            let uri = page.style.hyperlinks ? link.uri : nil
            line.append(
                link.kind == .note ? link.label : link.target, link: uri, room: max(page.style.columns - 11, 20))
            page.output(line)
        }
        if page.style.isTerminal && reply.links.isEmpty { page.talk("no links") }
    }
}

extension LinkTarget: Presented {
    /// Presents kind and target, for the program that opens it.
    public func present(_ reply: LinkList, on page: inout Page) {
        for link in reply.links {
            page.output("\(link.kind)\n\(page.style.isTerminal ? SafeText.singleLine(link.target) : link.target)")
        }
    }
}

extension ShareNote: Presented {
    public func present(_ reply: SharedText, on page: inout Page) {
        let bytes = Array(reply.text.utf8)
        page.output(page.style.isTerminal ? SafeText.safe(bytes, .multiline) : bytes)
    }
}

extension ListTags: Presented {
    public func present(_ reply: NameList, on page: inout Page) { page.names(reply, "tags", prefix: "#") }
}

extension ListNotebooks: Presented {
    public func present(_ reply: NameList, on page: inout Page) { page.names(reply, "notebooks", prefix: "") }
}

extension Page {
    fileprivate mutating func names(_ reply: NameList, _ key: String, prefix: String) {
        if style.json {
            let list = reply.names.map { JSONText.object([("name", .string($0.name)), ("notes", .count($0.count))]) }
            return json(.answer([(key, .array(list))]))
        }
        let width = reply.names.map { String($0.count).count }.max() ?? 0
        for name in reply.names {
            let count = String(name.count)
            guard style.isTerminal else {
                output("\(SafeText.singleLine(name.name))\t\(count)\n")
                continue
            }
            output(
                String(repeating: " ", count: width - count.count) + count + "  "
                    + SafeText.singleLine(prefix + name.name) + "\n")
        }
        if style.isTerminal && reply.names.isEmpty { talk("no \(key)") }
    }
}

extension LinkList.Link {
    /// Where a terminal may lead a click: never to a note, which only `vault` can open.
    fileprivate var uri: String? {
        switch kind {
        case .url, .email, .phone, .address: target
        case .date, .note, .parcel, .flight: nil
        }
    }
}
