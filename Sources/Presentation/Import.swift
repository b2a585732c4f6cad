// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText

extension BeginImport: Presented {}
extension ImportAttachment: Presented {}

extension ImportNotes: Presented {
    /// Presents an object of JSON on each line.
    public func present(_ reply: ImportLosses, on page: inout Page) {
        for loss in reply.losses { page.json(loss.object) }
    }
}

extension ImportTotals: Presented {
    public func present(_ reply: ImportResult, on page: inout Page) { page.json(reply.object) }
}

extension EndImport: Presented {
    public func present(_ reply: ImportResult, on page: inout Page) {
        if page.style.json { return page.json(json(reply)) }
        for loss in reply.losses {
            let detail = loss.detail.isEmpty ? "" : " (\(loss.detail))"
            page.talk("vault: loss: " + SafeText.singleLine("\(loss.path): \(loss.sentence)\(detail)"))
        }
        if reply.lossCount > reply.losses.count {
            page.talk("vault: loss: and \(reply.lossCount - reply.losses.count) more")
        }
        page.tellKept(reply.kept)
        page.tellNotCompared(reply)
        if !found.isEmpty {
            page.output("in the source: \(Self.counts(found))\n")
            page.output("read from it:  \(Self.counts(delivered))\n")
        }
        if zonelessDateCount > 0 {
            let dates = zonelessDateCount == 1 ? "1 date has" : "\(zonelessDateCount) dates have"
            page.output("\(dates) no time zone: read as \(SafeText.singleLine(timeZone))\n")
        }
        let files = reply.attachments > 0 ? ", attachments \(reply.attachments)" : ""
        page.output(
            "\(reply.dryRun ? "would be " : "")created \(reply.created), updated \(reply.updated), unchanged \(reply.unchanged)\(files)\n"
        )
    }

    private func json(_ reply: ImportResult) -> JSONText {
        let others = leftOut.map { JSONText.loss(path: $0.path, code: $0.code, detail: "") }
        return .answer(
            reply.totals + [
                ("found", .counts(found)), ("delivered", .counts(delivered)), ("timeZone", .string(timeZone)),
                ("datesWithoutZone", .count(zonelessDateCount)),
                ("lossCount", .int(Int64(reply.lossCount) + Int64(clamping: leftOutCount))),
                ("losses", .array(reply.losses.map(\.object) + others)),
            ])
    }

    private static func counts(_ counts: [UInt64]) -> String {
        zip(countNames, counts).map { "\($0) \($1)" }.joined(separator: ", ")
    }
}

extension Page {
    /// Kinds that are told one by one.
    private static let keptKindCountMax = 40

    fileprivate mutating func tellKept(_ kept: [ImportResult.Kept]) {
        for kind in kept.prefix(Self.keptKindCountMax) {
            talk("vault: kept: " + SafeText.singleLine("\(kind.name) × \(kind.count): \(kind.sentence)"))
        }
        if kept.count > Self.keptKindCountMax {
            talk("vault: kept: and \(kept.count - Self.keptKindCountMax) more kinds")
        }
    }

    /// Prints how many locked notes could not be compared. A locked note's source is sealed with it: the import can
    /// make it a second time, and says so.
    fileprivate mutating func tellNotCompared(_ reply: ImportResult) {
        let count = reply.notCompared
        guard count > 0 else { return }
        let doubled = reply.dryRun ? "would be here twice after it" : "may now be here twice"
        talk(
            count == 1
                ? "vault: a private note is locked and could not be compared: if it came from this source, it \(doubled)"
                : "vault: \(count) private notes are locked and could not be compared: those that came from this source \(doubled)"
        )
        let hint =
            reply.dryRun
            ? "vault note unlock ID, then import"
            : "vault undo takes this import back; vault note unlock ID, then import again"
        talk("vault: hint: " + hint)
    }
}

extension ImportLosses.Loss {
    /// An object of JSON, without a line feed: for the report of an import.
    public var json: [UInt8] { object.encoded }

    fileprivate var object: JSONText { .loss(path: path, code: code, detail: detail) }
}

extension ImportResult {
    /// An object of JSON, without a line feed: for the report of an import.
    public var json: [UInt8] { object.encoded }

    fileprivate var object: JSONText { .object(totals + [("lossCount", .count(lossCount))]) }

    fileprivate var totals: [(key: String, value: JSONText)] {
        let kinds = kept.map { kind in
            JSONText.object([
                ("code", .string(kind.code)), ("detail", .string(kind.detail)), ("count", .count(kind.count)),
            ])
        }
        return [
            ("dryRun", .bool(dryRun)), ("created", .count(created)), ("updated", .count(updated)),
            ("unchanged", .count(unchanged)),
            ("attachments", .count(attachments)), ("notCompared", .count(notCompared)), ("kept", .array(kinds)),
        ]
    }
}

extension ImportResult.Kept {
    /// The property's, or the kind's.
    fileprivate var name: String { detail.isEmpty ? code : detail }
}

extension JSONText {
    fileprivate static func loss(path: String, code: String, detail: String) -> JSONText {
        .object([("path", .string(path)), ("code", .string(code)), ("detail", .string(detail))])
    }

    /// Gives counts the names of `EndImport`; null when nobody counted.
    fileprivate static func counts(_ counts: [UInt64]) -> JSONText {
        counts.isEmpty ? .null : .object(zip(EndImport.countNames, counts).map { ($0, .count($1)) })
    }
}
