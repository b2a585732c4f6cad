// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// How well a process that holds keys is shut off, as the kernel reports it in /proc.
///
/// Of an agent of the same user only what everybody may read is seen; root also sees each mapping. That a file cannot
/// be read is then a part of the answer. See ThreatModel E06 and E07.
public struct MemoryInspection: Codable, Sendable, Equatable {
    /// Grows when a member changes its meaning.
    public let schema: Int
    public let processID: Int32
    /// Its name as the kernel has it, printable.
    public let name: String
    public let findings: [MemoryFinding]

    /// - Throws: `MemoryInspectionError.noProcess`, `.gone`.
    public init(processID: Int32) throws(MemoryInspectionError) {
        try self.init(processID: processID, files: ProcessFiles(processID))
    }

    init(processID: Int32, files: ProcessFiles) throws(MemoryInspectionError) {
        guard let status = files.status else { throw .noProcess }
        schema = 1
        self.processID = processID
        name = PrintableText.escaped(status["Name"] ?? "")
        findings = MemoryFinding.all(files, status)
        // A number may be given to another process in between.
        guard files.isStillTheSame else { throw .gone }
    }

    /// Nothing that should be there is known to be missing.
    public var isProtected: Bool { !findings.contains { $0.judgement == .missing } }

    /// One object without a line feed.
    public var json: String { ReportJSON.encode(self) }

    public var text: String {
        let width = findings.map(\.subject.count).max() ?? 0
        let lines = findings.map { finding in
            let subject = finding.subject + String(repeating: " ", count: width - finding.subject.count)
            return "\(finding.judgement.mark)  \(subject)  \(finding.words)"
        }
        return (["process \(processID), \(name)"] + lines).joined(separator: "\n")
    }
}

/// A process that cannot be inspected.
public enum MemoryInspectionError: Error, Sendable, CustomStringConvertible {
    case noProcess
    case gone

    public var description: String {
        switch self {
        case .noProcess: "there is no process with this number; `vault status --json` names the agent's"
        case .gone: "the process ended during the inspection"
        }
    }
}
