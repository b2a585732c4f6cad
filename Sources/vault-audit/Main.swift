// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ArgumentParser
internal import VaultAudit

/// `VaultAuditCommand` serves auditors: runs vectors through vault's own code and shows what a vault tells without a
/// password.
@main
struct VaultAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault-audit",
        abstract: "Check vault's cryptography and see what a vault reveals without a password.",
        subcommands: [Vectors.self, Inspect.self, Memory.self])
}

struct Vectors: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run known-answer vectors.",
        discussion: "Exits with 1 when a test fails, a count differs from numberOfTests, or nothing ran.")

    @Argument(help: "Files of vectors, or directories with .json files. [default: ./Vectors]")
    var paths: [String] = []
    @Flag(help: "Print one JSON object.")
    var json = false
    @Flag(help: "Leave out accumulated tests of more than \(FileRun.quickIterationsMax) iterations.")
    var quick = false

    func run() throws {
        let report = VectorReport.make(paths: paths.isEmpty ? ["Vectors"] : paths, quick: quick)
        print(json ? report.json : report.text)
        if !report.isSuccess { throw ExitCode.failure }
    }
}

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a vault's directory reveals without a password.",
        discussion: "Nothing that it shows is verified. Links are named and never followed.")

    @Argument(help: "A vault's directory.")
    var directory: String
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let inspection = try VaultInspection(path: directory)
        print(json ? inspection.json : inspection.text)
    }
}

struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how a process that holds keys is protected, as the kernel reports it.",
        discussion:
            "Exits with 1 when a protection is missing. As root it also sees each mapping. `vault status --json` names the agent's process."
    )

    @Argument(help: "The process's number.")
    var pid: Int32
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let inspection = try MemoryInspection(processID: pid)
        print(json ? inspection.json : inspection.text)
        if !inspection.isProtected { throw ExitCode.failure }
    }
}
