// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `make` alone and Scripts/setup.sh, where `swift`, apt-get and the others are programs of ours that write down that
/// they were called.
final class SetupTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "setup-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "bin"), withIntermediateDirectories: true)
        for tool in ["bash", "sh", "env", "sed", "id", "mkdir", "ln", "grep", "make"] {
            let places = ["/usr/bin/\(tool)", "/bin/\(tool)"]
            let path = try #require(places.first { FileManager.default.isExecutableFile(atPath: $0) }, "\(tool)")
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "bin/\(tool)").path, withDestinationPath: path)
        }
        for name in ["apt-get", "sudo", "pip", "python3"] { try program(name, "echo \(name) >> '\(log.path)'") }
        // No package is there.
        try program("dpkg-query", "exit 1")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var log: URL { folder.appending(path: "log") }

    private func program(_ name: String, _ lines: String) throws {
        let file = folder.appending(path: "bin/\(name)")
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    /// Only our programs are in PATH, and the folder is empty but for them.
    private func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String, called: String) {
        let process = Process()
        process.executableURL = folder.appending(path: "bin/\(name)")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ["PATH": folder.appending(path: "bin").path, "HOME": folder.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output, (try? String(contentsOf: log, encoding: .utf8)) ?? "")
    }

    private func setup() throws -> (status: Int32, output: String, called: String) {
        try run("bash", [SourceTree.root.appending(path: "Scripts/setup.sh").path])
    }

    @Test func makeAloneSaysWhatThereIsAndInstallsNothing() throws {
        try program("swift", "echo swift >> '\(log.path)'; echo 'Swift version 6.3'")
        let file = SourceTree.root.appending(path: "Makefile").path
        let alone = try run("make", ["-f", file])
        #expect(alone.status == 0 && alone.called.isEmpty, "\(alone)")
        #expect(try run("make", ["-f", file, "help"]).output == alone.output)
        let rules = try String(contentsOfFile: file, encoding: .utf8)
        let line = try #require(rules.split(separator: "\n").first { $0.hasPrefix(".PHONY: ") })
        let targets = line.dropFirst(8).split(separator: " ").filter { $0 != "help" }
        #expect(targets.count > 20)
        for target in targets { #expect(alone.output.contains("make \(target) "), "\(target) is not among them") }
    }

    @Test(arguments: ["python-swiftclient 4.7.0", "swift 4.6.0", ""])
    func anotherProgramCalledSwiftIsNamedBeforeAnythingIsInstalled(answer: String) throws {
        try program("swift", "echo '\(answer)'")
        let run = try setup()
        #expect(run.status == 1)
        #expect(run.called.isEmpty, "\(run)")
        #expect(
            run.output.contains("\(folder.path)/bin/swift is another program called swift")
                && run.output.contains("\"\(answer)\""), "\(run)")
        #expect(run.output.contains("6.2") && run.output.contains("PATH"), "\(run)")
    }

    @Test(arguments: ["Swift version 6.1.2 (swift-6.1.2-RELEASE)", "Swift version 5.10 (swift-5.10-RELEASE)"])
    func anOldCompilerIsNamedBeforeAnythingIsInstalled(answer: String) throws {
        try program("swift", "printf '\(answer)\\nTarget: x86_64-unknown-linux-gnu\\n'")
        let run = try setup()
        #expect(run.status == 1 && run.called.isEmpty, "\(run)")
        #expect(run.output.contains("version 6.2 or newer is needed"), "\(run)")
    }

    @Test func withoutSwiftNothingIsInstalled() throws {
        let run = try setup()
        #expect(run.status == 1 && run.called.isEmpty, "\(run)")
        #expect(run.output.contains("Swift is not installed"), "\(run)")
    }

    @Test(arguments: [
        "Swift version 6.2 (swift-6.2-RELEASE)", "Swift version 6.10.1 (swift-6.10.1-RELEASE)",
        "Apple Swift version 6.3 (swiftlang-6.3)",
        "Swift version 7.0-dev",
    ])
    func aCompilerThatIsNewEnoughIsTaken(answer: String) throws {
        try program("swift", "printf '\(answer)\\nTarget: x86_64-unknown-linux-gnu\\n'")
        let run = try setup()
        #expect(run.status == 0, "\(run)")
        #expect(
            run.called.contains("apt-get") || run.called.contains("sudo"),
            "the packages that are missing were not asked for: \(run)")
    }

    @Test func theLicenceIsWholeAndIsTheOneThatTheFilesName() throws {
        let text = try String(contentsOf: SourceTree.root.appending(path: "LICENSE"), encoding: .utf8)
        #expect(text.contains("Apache License\n                           Version 2.0, January 2004"))
        for section in 1...9 { #expect(text.contains("\n   \(section). "), "section \(section)") }
        #expect(text.contains("END OF TERMS AND CONDITIONS") && text.contains("limitations under the License."))
    }
}
