// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `MemoryInspection` tells how well a process that holds keys is shut off, as the kernel reports it in /proc.
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

    /// Reads what /proc says of a process.
    ///
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

    /// Whether nothing that should be there is known to be missing.
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

/// `MemoryInspectionError` tells of a process that cannot be inspected.
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

/// `MemoryFinding` is one protection of a process's memory.
public struct MemoryFinding: Codable, Sendable, Equatable {
    public enum Judgement: String, Codable, Sendable {
        case present
        case missing
        /// The kernel does not tell this user.
        case notTold

        var mark: String {
            switch self {
            case .present: "ok"
            case .missing: "NO"
            case .notTold: "? "
            }
        }
    }

    public let subject: String
    public let judgement: Judgement
    /// What the kernel says.
    public let words: String

    static func all(_ files: ProcessFiles, _ status: [String: String]) -> [MemoryFinding] {
        [
            coreLimit(files), owner(files, status), tracer(status), privileges(status), locked(files, status),
            swapped(status), secrets(files),
        ]
    }

    /// Judges the limit on core files. Where a program takes core files it counts for nothing: then only that the
    /// process is not dumpable keeps them out.
    private static func coreLimit(_ files: ProcessFiles) -> MemoryFinding {
        guard let limits = files.limit("Max core file size") else {
            return .init(subject: "core files", judgement: .notTold, words: "")
        }
        guard limits == ["0", "0"] else {
            return .init(
                subject: "core files", judgement: .missing,
                words: "up to \(limits.joined(separator: ", hard limit ")) bytes")
        }
        guard ProcessFiles.coreFilesGoToAProgram else {
            return .init(subject: "core files", judgement: .present, words: "the limit is 0 and cannot be raised")
        }
        return .init(
            subject: "core files", judgement: .present,
            words: "the limit is 0; a program takes core files here, which only a process that is dumpable gives")
    }

    /// Judges whether the process is dumpable. The files of one that is not belong to root: no other program of its
    /// user may trace it or read its memory.
    private static func owner(_ files: ProcessFiles, _ status: [String: String]) -> MemoryFinding {
        // The second is the effective one, which owns the files of a process that is dumpable.
        let user = status["Uid"]?.split(separator: "\t").dropFirst().first.map { String($0) } ?? ""
        guard let owner = files.owner else {
            return .init(subject: "dump, ptrace", judgement: .notTold, words: "its files cannot be read")
        }
        guard user != "0" else {
            return .init(
                subject: "dump, ptrace", judgement: .notTold, words: "it runs as root, where owners say nothing")
        }
        return owner == 0
            ? .init(
                subject: "dump, ptrace", judgement: .present,
                words: "not dumpable: its /proc files belong to root, not to user \(user)")
            : .init(
                subject: "dump, ptrace", judgement: .missing, words: "dumpable: programs of user \(user) can trace it")
    }

    private static func tracer(_ status: [String: String]) -> MemoryFinding {
        let tracer = status["TracerPid"] ?? ""
        return .init(
            subject: "traced by", judgement: tracer == "0" ? .present : tracer.isEmpty ? .notTold : .missing,
            words: tracer == "0" ? "nobody" : "process \(tracer)")
    }

    private static func privileges(_ status: [String: String]) -> MemoryFinding {
        let isSet = status["NoNewPrivs"] == "1"
        return .init(
            subject: "new privileges", judgement: isSet ? .present : .missing,
            words: isSet ? "never" : "by programs that it starts")
    }

    private static func locked(_ files: ProcessFiles, _ status: [String: String]) -> MemoryFinding {
        let limit =
            files.limit("Max locked memory")?.first.map {
                $0 == "unlimited" ? "any size" : "\((Int($0) ?? 0) / 1024) KiB"
            } ?? "an unknown size"
        let size = status["VmLck"] ?? "0 kB"
        return .init(
            subject: "locked", judgement: size.hasPrefix("0 ") ? .missing : .present,
            words: "\(PrintableText.escaped(size)) of \(limit) that can be locked")
    }

    private static func swapped(_ status: [String: String]) -> MemoryFinding {
        guard let size = status["VmSwap"] else { return .init(subject: "swapped out", judgement: .notTold, words: "") }
        return .init(
            subject: "swapped out", judgement: size == "0 kB" ? .present : .missing, words: PrintableText.escaped(size))
    }

    /// Judges the locked mappings, which hold keys: none may be in a core file or in a forked child.
    private static func secrets(_ files: ProcessFiles) -> MemoryFinding {
        guard let mappings = files.mappings else {
            return .init(
                subject: "key mappings", judgement: .notTold,
                words: "only root can see them, and so no other program of this user")
        }
        let locked = mappings.filter { $0.contains("lo") }
        let (undumped, wiped) = (locked.filter { $0.contains("dd") }.count, locked.filter { $0.contains("wf") }.count)
        let isWhole = !locked.isEmpty && undumped == locked.count && wiped == locked.count
        return .init(
            subject: "key mappings", judgement: isWhole ? .present : .missing,
            words:
                "\(locked.count) locked, \(undumped) of them left out of core files, \(wiped) wiped in a forked process; "
                + "of keys that could not be locked `vault status` tells")
    }
}
