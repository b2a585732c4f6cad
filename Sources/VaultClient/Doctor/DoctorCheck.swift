// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What one look found.
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
