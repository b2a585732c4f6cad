// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Presentation
internal import TerminalText

/// `Reporter` tells the caller how a command ended, as text or as JSON.
struct Reporter {
    var json = false
    var quiet = false

    /// Prints what belongs to an outcome and returns the process's exit code.
    func finish(_ outcome: Outcome) -> Int32 {
        if outcome.code == .ok {
            if !outcome.message.isEmpty { talk(outcome.message) }
            if !outcome.hint.isEmpty { talk(outcome.hint) }
        } else if json {
            Streams.say(Self.errorObject(outcome))
        } else {
            for line in Self.errorLines(outcome) { Streams.say(line) }
        }
        return Int32(outcome.code.rawValue)
    }

    /// Tells news that nobody needs: left out with --quiet.
    func talk(_ line: String) {
        if !quiet { Streams.say(line) }
    }

    static func errorLines(_ outcome: Outcome) -> [String] {
        let message = outcome.message.isEmpty ? outcome.code.meaning : outcome.message
        let kind = outcome.code == .doneWithLosses ? "warning" : "error"
        let candidates = outcome.candidates.map { "  \($0.id)  \($0.title)" }
        let lines =
            candidates + ["vault: \(kind): \(message)"] + (outcome.hint.isEmpty ? [] : ["vault: hint: \(outcome.hint)"])
        // Names were made harmless where they were put in; this is for the one that was forgotten.
        return lines.map { SafeText.safe($0, .multiline) }
    }

    static func errorObject(_ outcome: Outcome) -> String {
        let message = outcome.message.isEmpty ? outcome.code.meaning : outcome.message
        let hint = outcome.hint.isEmpty ? nil : outcome.hint
        return
            "{\"schema\":1,\"error\":{\"code\":\(JSONText.quoted(outcome.code.scriptName)),\"exit\":\(outcome.code.rawValue),"
            + "\"message\":\(JSONText.quoted(message)),\"hint\":\(JSONText.quotedOrNull(hint))\(list(outcome.candidates))}}"
    }

    private static func list(_ candidates: [Outcome.Candidate]) -> String {
        guard !candidates.isEmpty else { return "" }
        let items = candidates.map { "{\"id\":\(JSONText.quoted($0.id)),\"title\":\(JSONText.quoted($0.title))}" }
        return ",\"candidates\":[\(items.joined(separator: ","))]"
    }
}

extension ExitCode {
    /// The name under `error.code` in JSON; part of the schema of docs/cli.md, so it is written out.
    var scriptName: String {
        switch self {
        case .ok: "ok"
        case .other: "other"
        case .usage: "usage"
        case .locked: "locked"
        case .wrongPassword: "wrongPassword"
        case .notFound: "notFound"
        case .ambiguous: "ambiguous"
        case .conflict: "conflict"
        case .network: "network"
        case .localSaveFailed: "localSaveFailed"
        case .aborted: "aborted"
        case .failSafe: "failSafe"
        case .doneWithLosses: "doneWithLosses"
        case .integrity: "integrity"
        case .interrupted: "interrupted"
        }
    }
}
