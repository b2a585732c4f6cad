// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A few of the moves that `make moved` makes under an open vault, with the real programs, and of the damages that it
/// does to a backup.
@Suite struct MovedSweepTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private func run(_ words: [String]) throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [python, "-B", "\(Self.package)/Tests/\(words[0])", "--bin", Programs.directory] + words.dropFirst(),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], seconds: 300)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }

    @Test func D06nothingAcknowledgedIsLostWhenAFileOfAnOpenVaultIsMoved() throws {
        try run(["Moved/moved.py", "--only", "moves", "--trials", "12", "--workers", "1", "--seconds", "15"])
    }

    @Test func everySnapshotThatIsCalledWholeRestoresAndEveryOtherIsNamed() throws {
        try run(["Rot/rot.py", "--backups", "--trials", "6", "--workers", "1", "--seconds", "15"])
    }
}
