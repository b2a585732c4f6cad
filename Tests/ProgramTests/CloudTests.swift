// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A short form of `make clouds`: several remotes at once, a fake of Dropbox, and rclone as a child.
@Suite struct CloudTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test(arguments: ["several", "dropbox", "rclone"]) func H06X68CloudsLoseNothingAndSaySo(_ walk: String) throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [python, "-B", "\(Self.package)/Tests/Clouds/clouds.py", "--bin", Programs.directory, "--short", walk],
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"], seconds: 300)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        #expect(finished.text.contains("\(walk): ") && !finished.text.contains("WRONG"))
    }

    @Test func theFakeOfDropboxAnswersAsDocumented() throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [python, "-B", "\(Self.package)/Tests/Clouds/dropbox.py", "--self-test"],
            environment: ["PATH": "/usr/bin:/bin"], seconds: 120)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }

    @Test func theHistoryCheckerFindsWhatIsPlanted() throws {
        let python = try #require(Programs.system("python3"), "Scripts/setup.sh test installs python3-venv")
        let finished = try Command.run(
            [python, "-B", "\(Self.package)/Tests/Clusters/history.py", "--self-test"],
            environment: ["PATH": "/usr/bin:/bin"], seconds: 120)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }
}
