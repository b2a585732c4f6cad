// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Sources as other programs write them, counted before the import, in the vault, and after each export that was
/// imported again.
///
/// The counting is Python's (Tests/Shapes) and shares no code with the importers. `make shapes` runs the same at full
/// size.
@Suite struct ShapeTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private func run(_ script: String, _ arguments: [String] = []) throws -> Finished {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        return try Command.run(
            [python, "-B", "\(Self.package)/Tests/Shapes/\(script)"] + arguments, environment: environment, seconds: 300
        )
    }

    /// Every difference that no report names is a line of its output.
    private func expectNothingLost(from source: String) throws {
        let finished = try run("compare.py", ["--small", "--bin", Programs.directory, "--only", source])
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }

    @Test func theCountersSeeWhatWasTakenOutOfASource() throws {
        let finished = try run("doctored.py")
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }

    @Test func aVaultOfObsidianKeepsItsCountsInAndOut() throws { try expectNothingLost(from: "obsidian") }

    @Test func aRawFolderOfJoplinKeepsItsCountsInAndOut() throws { try expectNothingLost(from: "joplin-raw") }

    @Test func anArchiveOfJoplinKeepsItsCountsInAndOut() throws { try expectNothingLost(from: "joplin-jex") }

    @Test func threeFilesOfEvernoteKeepTheirCountsInAndOut() throws { try expectNothingLost(from: "enex") }

    @Test func twoBackupsOfStandardNotesKeepTheirCountsInAndOut() throws {
        try expectNothingLost(from: "standardnotes")
    }

    @Test func journalsUnderThreeZonesKeepTheirCountsInAndOut() throws { try expectNothingLost(from: "jrnl") }

    @Test func aStoreOfPassKeepsItsCountsInAndOut() throws { try expectNothingLost(from: "pass") }

    @Test func aNotebookOfNbKeepsItsCountsInAndOut() throws { try expectNothingLost(from: "nb") }
}
