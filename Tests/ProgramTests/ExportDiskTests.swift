// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Disks that fill up, refuse or fail while an export is written: nothing lies there under the final name, and nothing
/// half-written beside it.
@Suite(.serialized, .enabled(if: Privileges.canMount, "mounting a small disk needs root"))
struct ExportDiskTests {
    private static let formats = [
        ("markdown", "out"), ("json", "out"), ("markdown", "out.tar"), ("json", "out.json"), ("text", "out.txt"),
    ]
    private static let twoForms = [("markdown", "out"), ("json", "out.json")]

    private func world() throws -> VaultWorld {
        let world = try VaultWorld()
        for number in 0..<2 {
            try world.require(
                world.vault("new", input: Array("note \(number) \(String(repeating: "text ", count: 60_000))".utf8)))
        }
        let note = try world.new("one with an attachment")
        try world.attach(note, "data", [UInt8](repeating: 9, count: 900_000))
        return world
    }

    @Test func H10aFullDiskHoldsNothingOfTheExport() throws {
        let world = try world()
        for (format, name) in Self.formats {
            let disk = try SmallDisk(byteCount: 512 << 10)
            let done = try world.vault("export", format, "-o", disk.path + "/" + name, "--plaintext")
            expectRefusal(done, 9, says: "the file was not written")
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty, "\(format) \(name)")
        }
        #expect(try world.vault("check").code == 0)
        #expect(try world.vault("ls", "--count").text == "3\n")
    }

    @Test func H10aReadOnlyDiskIsSaidToBeOne() throws {
        let world = try world()
        let disk = try SmallDisk(byteCount: 64 << 10)
        #expect(disk.makeReadOnly())
        for (format, name) in Self.twoForms {
            let done = try world.vault("export", format, "-o", disk.path + "/" + name, "--plaintext")
            #expect(done.code == 9 && done.err.contains("read-only"), "\(done.err)")
        }
    }

    @Test func H10aLimitOnTheSizeOfFilesEndsItCleanly() throws {
        let world = try world()
        // The agent writes, so it is the agent's limit that counts: as of a disk that fails in the middle of a file.
        let agent = try world.agentPID()
        #expect(
            try Command.run(["/usr/bin/prlimit", "--pid", "\(agent)", "--fsize=100000:100000"], environment: [:]).code
                == 0)
        for (format, name) in Self.twoForms {
            let done = try world.vault("export", format, "-o", world.path(name), "--plaintext")
            #expect(done.code == 9, "\(format) \(name): \(done.err)")
            #expect(try !world.exists(name) && world.parts().isEmpty)
        }
    }

    @Test func H10aNameThatIsTakenMeanwhileStaysTheOthers() throws {
        let world = try world()
        let note = try world.new("slow")
        try world.attach(note, "large", [UInt8](repeating: 7, count: 24 << 20))
        let client = try Child(
            [Programs.path("vault"), "export", "markdown", "-o", world.path("out"), "--plaintext"],
            environment: world.environment)
        let deadline = Clock.seconds + 20
        while try world.parts().isEmpty, !world.exists("out"), Clock.seconds < deadline { usleep(500) }
        let isTheirs = unsafe mkdir(world.path("out"), 0o755) == 0
        let code = client.wait(seconds: 30)
        #expect(code == (isTheirs ? 7 : 0))
        #expect(try world.parts().isEmpty)
        if isTheirs { #expect(try FileManager.default.contentsOfDirectory(atPath: world.path("out")).isEmpty) }
    }
}
