// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import TerminalText
internal import TextMerge
internal import VaultCore
internal import VaultFormat

/// Answers about links, names and differences.
extension Answer {
    func links(_ links: [DetectedLink]) {
        if presentation.json {
            let list = links.enumerated().map { number, link in
                JSONText.object([
                    ("number", .int(Int64(number + 1))), ("kind", .string(link.kind.rawValue)), ("target", .string(link.target)),
                    ("label", .string(link.label)),
                ])
            }
            return json(.answer([("links", .array(list))]))
        }
        for (number, link) in links.enumerated() {
            guard presentation.isTerminal else {
                output([String(number + 1), link.kind.rawValue, link.target].map(SafeText.singleLine).joined(separator: "\t") + "\n")
                continue
            }
            var line = StyledLine()
            line.append("\(number + 1)", .dim)
            line.pad(to: 4)
            line.append(link.kind.rawValue, .dim)
            line.pad(to: 11)
            line.append(link.kind == .note ? link.label : link.target, link: presentation.hyperlinks ? link.uri : nil, room: max(columns - 11, 20))
            connection.output(line.encoded(color: presentation.color))
        }
        if presentation.isTerminal && links.isEmpty { connection.talk("no links") }
    }

    func names(_ names: [NameCount], _ key: String, prefix: String) {
        if presentation.json {
            let list = names.map { JSONText.object([("name", .string($0.name)), ("notes", .int(Int64($0.count)))]) }
            return json(.answer([(key, .array(list))]))
        }
        let width = names.map { String($0.count).count }.max() ?? 0
        for name in names {
            let count = String(name.count)
            let shown = SafeText.singleLine(prefix + name.name)
            if presentation.isTerminal {
                output(String(repeating: " ", count: width - count.count) + count + "  " + shown + "\n")
            } else {
                output("\(SafeText.singleLine(name.name))\t\(count)\n")
            }
        }
        if presentation.isTerminal && names.isEmpty { connection.talk("no \(key)") }
    }

    /// Words that were taken away and added on a terminal; a unified diff, which patch(1) reads, elsewhere.
    func diff(_ old: RevisionSummary?, _ new: RevisionSummary) throws(VaultError) {
        let before = Array((old?.record.body ?? "").utf8)
        let after = Array(new.record.body.utf8)
        do {
            if presentation.json {
                let unified = try LineDiff.unified(old: before, new: after, oldLabel: Self.label(old), newLabel: Self.label(new))
                return json(
                    .answer([
                        ("from", old.map { .string($0.id.text) } ?? .null), ("to", .string(new.id.text)),
                        ("changes", .array(RevisionChange.list(from: old?.record, to: new.record).map { .string($0) })),
                        ("diff", .string(String(decoding: unified, as: UTF8.self))),
                    ]))
            }
            guard presentation.isTerminal else {
                return connection.output(try LineDiff.unified(old: before, new: after, oldLabel: Self.label(old), newLabel: Self.label(new)))
            }
            var line = StyledLine()
            line.append("\(Self.label(old)) \u{2192} \(Self.label(new)): " + RevisionChange.text(from: old?.record, to: new.record), .dim)
            connection.output(line.encoded(color: presentation.color))
            for hunk in try WordDiff.hunks(old: before, new: after) { connection.output(DiffRenderer.text(hunk, color: presentation.color)) }
        } catch { throw VaultError(.tooLarge) }
    }

    private static func label(_ revision: RevisionSummary?) -> String { revision.map { String($0.id.text.prefix(6)) } ?? "nothing" }
}

extension DetectedLink {
    /// Where a terminal may lead a click: never to a note, which only `vault` can open.
    var uri: String? {
        switch kind {
        case .url, .email, .phone: target
        case .date, .note: nil
        }
    }
}
