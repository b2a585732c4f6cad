// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// The small sizes of what `make models` searches: the order of writes, with all rules and without some of them.
@Suite struct ModelTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test func noCrashInTheModelsBreaksAPropertyAndEachRuleThatIsTakenOutDoes() throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [python, "-B", "\(Self.package)/Tests/Models/models.py", "--small"],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], seconds: 300)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }
}
