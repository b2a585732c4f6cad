// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A short form of `make homes`: three homes meet over one store, with everything that many devices are for, and each
/// is read in the end by a program that shares no code with these.
@Suite struct HomesTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test(arguments: ["folder", "nginx", "apache", "seaweedfs"])
    func nothingIsLostBetweenThreeHomesAndAStore(_ kind: String) throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [
                python, "-B", "\(Self.package)/Tests/Homes/homes.py", "--bin", Programs.directory, "--kinds", kind,
                "--kills", "4", "--segments", "5",
            ], environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"], seconds: 300)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        #expect(finished.text.contains("'acknowledged': ") && finished.text.contains("'bytes in the store': "))
    }
}
