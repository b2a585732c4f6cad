// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Presentation

/// `DoctorReport` is the list of checks as text or as JSON.
struct DoctorReport {
    let checks: [DoctorCheck]

    var badCount: Int { checks.count { $0.state == .bad } }

    var json: String {
        let items = checks.map { check in
            "{\"name\":\(JSONText.quoted(check.name)),\"state\":\(JSONText.quoted(check.state.rawValue)),"
                + "\"message\":\(JSONText.quoted(check.message)),\"hint\":\(JSONText.quotedOrNull(check.hint.isEmpty ? nil : check.hint))}"
        }
        return "{\"schema\":1,\"healthy\":\(badCount == 0),\"checks\":[\(items.joined(separator: ","))]}"
    }

    /// Returns a mark and a name, and beneath or beside it the sentence: two columns where there is room, one below the
    /// other where there is not.
    ///
    /// What is typed is never broken, so that it can be copied.
    func lines(columns: Int, color: Bool) -> [String] {
        let width = checks.map { $0.name.count }.max() ?? 0
        let indent = columns >= 60 ? 6 + width + 2 : 6
        return checks.flatMap { check -> [String] in
            let head = Self.mark(check.state, color: color) + "  " + check.name
            let text = WrappedText.indented(VisibleText.escaped(check.message), by: indent, columns: columns)
            let hint = check.hint.isEmpty ? [] : [String(repeating: " ", count: indent) + "-> " + check.hint]
            guard columns >= 60, let first = text.first else { return [head] + text + hint }
            let pad = String(repeating: " ", count: width - check.name.count + 2)
            return [head + pad + first.dropFirst(indent)] + text.dropFirst() + hint
        }
    }

    private static func mark(_ state: DoctorCheck.State, color: Bool) -> String {
        let (word, code) =
            switch state {
            case .ok: ("ok  ", "32")
            case .warning: ("warn", "33")
            case .bad: ("BAD ", "31")
            }
        return color ? "\u{1B}[\(code)m\(word)\u{1B}[0m" : word
    }
}

/// `DoctorCheck` says what one look found.
struct DoctorCheck: Sendable, Equatable {
    enum State: String, Sendable {
        case ok, warning, bad
    }

    let name: String
    let state: State
    /// One sentence, in lower case and without a final stop.
    let message: String
    /// What to type; empty when there is nothing to do.
    let hint: String

    private init(_ name: String, _ state: State, _ message: String, _ hint: String) {
        self.name = name
        self.state = state
        self.message = message
        self.hint = hint
    }

    static func ok(_ name: String, _ message: String) -> DoctorCheck { DoctorCheck(name, .ok, message, "") }
    static func warning(_ name: String, _ message: String, hint: String = "") -> DoctorCheck {
        DoctorCheck(name, .warning, message, hint)
    }
    static func bad(_ name: String, _ message: String, hint: String = "") -> DoctorCheck {
        DoctorCheck(name, .bad, message, hint)
    }
}
