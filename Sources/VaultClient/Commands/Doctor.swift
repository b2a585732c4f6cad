// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct CheckCommand: Command {
    static let name = "check"
    static var spec: Spec {
        Spec(
            "Read and verify everything in the vault.",
            examples: [
                "vault check": "Read and verify every note.",
                "vault check --rebuild-index": "Also rebuild the search index.",
            ])
    }
    var rebuildIndex = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&rebuildIndex, "rebuild-index", "Rebuild the search index.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(CheckVault(rebuildIndex: rebuildIndex))
    }
}

struct DoctorCommand: Command {
    static let name = "doctor"
    static var spec: Spec {
        Spec(
            "Check this machine and the vault for security problems.",
            discussion: """
                It changes nothing. It exits with 1 if there is a problem, and with 0 if there are only warnings.
                """,
            examples: [
                "vault doctor": "See whether this machine is set up well.",
                "vault doctor --security":
                    "Look more closely at permissions, swap, core dumps and the cost of the password.",
            ])
    }
    var security = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&security, "security", "Look more closely at permissions, memory, and the cost of the password.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let report = DoctorReport(checks: checks(context))
        if context.options.json {
            try Streams.write(report.json + "\n")
        } else {
            let columns = Int(Terminal.columns(of: Streams.output))
            let lines = report.lines(columns: columns == 0 ? 80 : max(columns, 20), color: context.style.color)
            try Streams.write(lines.joined(separator: "\n") + "\n")
        }
        guard report.badCount > 0 else { return Outcome(.ok) }
        return Outcome(.other, report.badCount == 1 ? "1 problem found" : "\(report.badCount) problems found")
    }

    /// Looks at what can go wrong on any day; with `security` also at what only matters to somebody who attacks.
    private func checks(_ context: Context) -> [DoctorCheck] {
        let location = try? context.location()
        var checks = ProgramChecks.all() + SettingChecks.all(context)
        if let location { checks += VaultFileChecks.all(location) }
        if let location {
            checks += BackupCheck.run(location, stateDirectory: PlaceChecks.stateDirectory, now: Clock.now)
        }
        checks += PlaceChecks.all(location)
        checks += MachineChecks.everyday()
        if security {
            if let location { checks.append(KeyslotCheck.run(location, context)) }
            checks += PlaceChecks.private()
            checks += MachineChecks.security()
        }
        return checks
    }
}
