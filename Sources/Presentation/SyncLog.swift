// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

// What syncing did, the newest last.

extension ShowSyncLog: Presented {
    public func present(_ reply: SyncLogLines, on page: inout Page) {
        if page.style.json {
            return page.json(.answer([("lines", .array(reply.lines.map { .line($0) }))]))
        }
        for line in reply.lines {
            if page.style.isTerminal {
                page.output("\(page.moment(line.made))  \(line.remote): \(line.words)\n")
            } else {
                page.tabbed([
                    page.moment(line.made), line.remote, line.word, line.device, String(line.count), line.reason,
                ])
            }
        }
        if reply.lines.isEmpty { page.talk("nothing was synced yet; next: vault sync now") }
    }
}

extension SyncLogLine {
    fileprivate var word: String {
        switch kind {
        case .received: "received"
        case .sent: "sent"
        case .joined: "joined"
        case .conflict: "conflict"
        case .failed: "failed"
        case .alarm: "alarm"
        }
    }

    /// Why the remote could not be used, or which alarm it was.
    fileprivate var reason: String { alarm.map(\.word) ?? failure }

    fileprivate var words: String {
        switch kind {
        case .received: "\(Quantity.changes(count, "received")) from \(SafeText.singleLine(device))"
        case .sent: Quantity.changes(count, "sent")
        case .joined: "\(Quantity.counted(count, "note")) joined"
        case .conflict: "\(Quantity.counted(count, "note")) with versions that do not fit together"
        case .failed: failure
        case .alarm: alarm.map { $0.words(of: remote) } ?? "an alarm of a newer program"
        }
    }
}

extension JSONText {
    fileprivate static func line(_ line: SyncLogLine) -> JSONText {
        .object([
            ("at", .date(line.made)), ("remote", .string(line.remote)), ("kind", .string(line.word)),
            ("device", line.device.isEmpty ? .null : .string(line.device)), ("count", .count(line.count)),
            ("reason", line.reason.isEmpty ? .null : .string(line.reason)),
        ])
    }
}
