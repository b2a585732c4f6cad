// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A few of the pages and files that `make fresh` puts back, one of each kind, with the real programs.
@Suite struct FreshSweepTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test func A07J01J02J03J04nothingThatIsPutBackIsShownAsIfItWereThePresentState() throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [
                python, "-B", "\(Self.package)/Tests/Fresh/fresh.py", "--bin", Programs.directory, "--small",
                "--trials", "10", "--seconds", "18",
            ], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], seconds: 300)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }
}
