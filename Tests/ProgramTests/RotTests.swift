// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A few of the damages that `make rot` tries on each file of a vault, with the real programs.
@Suite struct RotTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test func noSingleDamageKeepsAVaultFromOpeningOrCostsANoteThatLiesWholeInItsFiles() throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [
                python, "-B", "\(Self.package)/Tests/Rot/rot.py", "--bin", Programs.directory, "--trials", "12",
                "--workers", "1", "--seconds", "15", "--closed",
            ], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], seconds: 300)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }
}
