// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ForeignRecords
internal import TerminalText
internal import VaultCore

/// What an import came to.
extension Answer {
    func imported(_ session: ImportSession, _ end: EndImport) {
        if presentation.json { return json(.imported(session, end)) }
        for loss in session.losses {
            let detail = loss.detail.isEmpty ? "" : " (\(loss.detail))"
            connection.talk("vault: loss: " + SafeText.singleLine("\(loss.path): \(loss.sentence)\(detail)"))
        }
        if session.lossCount > session.losses.count { connection.talk("vault: loss: and \(session.lossCount - session.losses.count) more") }
        tellKept(session.kept)
        if !end.found.isEmpty {
            output("in the source: \(Self.counts(end.found))\n")
            output("read from it:  \(Self.counts(end.delivered))\n")
        }
        if end.zonelessDateCount > 0 {
            let dates = end.zonelessDateCount == 1 ? "1 date has" : "\(end.zonelessDateCount) dates have"
            output("\(dates) no time zone: read as \(SafeText.singleLine(end.timeZone))\n")
        }
        let tally = session.tally
        let files = tally.attachments > 0 ? ", attachments \(tally.attachments)" : ""
        output(
            "\(session.order.dryRun ? "would be " : "")created \(tally.created), updated \(tally.updated), unchanged \(tally.unchanged)\(files)\n")
    }

    /// Kinds that are told one by one.
    private static let keptKindCountMax = 40

    private func tellKept(_ kept: [ImportKept]) {
        for kind in kept.prefix(Self.keptKindCountMax) {
            connection.talk("vault: kept: " + SafeText.singleLine("\(kind.name) × \(kind.count): \(kind.loss.code.sentence)"))
        }
        if kept.count > Self.keptKindCountMax { connection.talk("vault: kept: and \(kept.count - Self.keptKindCountMax) more kinds") }
    }

    private static func counts(_ counts: [UInt64]) -> String {
        zip(EndImport.countNames, counts).map { "\($0) \($1)" }.joined(separator: ", ")
    }
}

extension JSONText {
    static func imported(_ session: ImportSession, _ end: EndImport) -> JSONText {
        let leftOut = end.leftOut.map { JSONText.loss(path: $0.path, code: $0.code, detail: "") }
        return .answer(
            totals(session) + [
                ("found", counts(end.found)), ("delivered", counts(end.delivered)),
                ("timeZone", .string(end.timeZone)), ("datesWithoutZone", .int(Int64(clamping: end.zonelessDateCount))),
                ("lossCount", .int(Int64(session.lossCount) + Int64(clamping: end.leftOutCount))),
                ("losses", .array(session.losses.map { .loss($0) } + leftOut)),
            ])
    }

    /// What was done so far.
    static func importTotals(_ session: ImportSession) -> JSONText {
        session.nameBrokenPromises()
        return .object(totals(session) + [("lossCount", .int(Int64(session.lossCount)))])
    }

    static func loss(_ loss: ImportLoss) -> JSONText { .loss(path: loss.path, code: loss.code, detail: loss.detail) }

    private static func totals(_ session: ImportSession) -> [(key: String, value: JSONText)] {
        [
            ("dryRun", .bool(session.order.dryRun)), ("created", .int(Int64(session.tally.created))),
            ("updated", .int(Int64(session.tally.updated))), ("unchanged", .int(Int64(session.tally.unchanged))),
            ("attachments", .int(Int64(session.tally.attachments))),
            (
                "kept",
                .array(
                    session.kept.map { kind in
                        .object([("code", .string("\(kind.loss.code)")), ("detail", .string(kind.loss.detail)), ("count", .int(Int64(kind.count)))])
                    })
            ),
        ]
    }

    private static func counts(_ counts: [UInt64]) -> JSONText {
        counts.isEmpty ? .null : .object(zip(EndImport.countNames, counts).map { ($0, .int(Int64(clamping: $1))) })
    }

    private static func loss(path: String, code: String, detail: String) -> JSONText {
        .object([("path", .string(path)), ("code", .string(code)), ("detail", .string(detail))])
    }
}
