// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `vault doctor`: looks at this machine and at the vault's files, and says what to type where something is wrong. It changes nothing and
/// needs no password.
enum DoctorCommand {
    static func run(security: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        let report = DoctorReport(checks: checks(security: security, context))
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

    /// Without `security` what can go wrong on any day; with it also what only matters to somebody who attacks.
    private static func checks(security: Bool, _ context: Context) -> [DoctorCheck] {
        let location = try? context.location()
        var checks = ProgramChecks.all() + SettingChecks.all(context)
        if let location { checks += VaultFileChecks.all(location) }
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
