// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Files of every kind, into a note and out again.
@Suite struct AttachTests {
    private func vault(_ world: VaultWorld, _ arguments: String..., input: [UInt8] = []) throws -> Finished {
        try world.vault(arguments, input: input)
    }

    private func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) } }

    private func file(_ world: VaultWorld, _ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: world.path(name)))
        return world.path(name)
    }

    private func objectCount(_ world: VaultWorld) throws -> Int {
        try Command.run(["/usr/bin/find", world.directory + "/objects", "-type", "f"], environment: [:]).lines.count
    }

    @Test(arguments: [0, 1, 16384, 1_000_000]) func everySizeComesBackByteForByteAfterALock(_ count: Int) throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        let path = try file(world, "data", pattern(count))
        try world.require(vault(world, "attach", "add", note, path))
        try world.require(vault(world, "attach", "add", note, "-", "--name", "piped", input: pattern(count) + [1]))
        try world.require(world.vault("lock"))
        try world.unlock()
        try world.require(vault(world, "attach", "get", note, "data", "-o", world.path("back")))
        #expect(try Data(contentsOf: URL(fileURLWithPath: world.path("back"))) == Data(pattern(count)))
        #expect(try world.require(vault(world, "attach", "get", note, "piped", "-o", "-")).out == pattern(count) + [1])
        #expect(
            try vault(world, "attach", "get", note, "data", "-o", world.path("back")).code == 7,
            "nothing is overwritten")
        #expect(try vault(world, "check").code == 0)
    }

    @Test func rangesAreThePartsThatTheyName() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        let all = pattern(300_000)
        try world.require(vault(world, "attach", "add", note, try file(world, "data", all)))
        for (range, wanted) in [
            ("0:1", all[0..<1]), ("16383:2", all[16383..<16385]), ("100k:1k", all[102_400..<103_424]),
            ("299999:", all[299_999...]),
            ("300000:", all[300_000...]),
            ("299990:1M", all[299_990...]),
        ] {
            #expect(
                try world.require(vault(world, "attach", "get", note, "data", "--range", range, "-o", "-")).out
                    == Array(wanted), "\(range)")
        }
        #expect(try vault(world, "attach", "get", note, "data", "--range", "300001:1", "-o", "-").code == 2)
        for bad in ["1", ":", "-1:2", "x:1", "1:18446744073709551615"] {
            #expect(try vault(world, "attach", "get", note, "data", "--range", bad, "-o", "-").code == 2, "\(bad)")
        }
    }

    @Test func foldersDevicesAndWhatIsNotThereAreRefusedBeforeAnythingIsStored() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        let good = try file(world, "good", [1])
        for (bad, code) in [(world.root, Int32(2)), ("/dev/zero", 2), (world.path("missing"), 5)] {
            let refused = try vault(world, "attach", "add", note, good, bad)
            #expect(refused.code == code && refused.err.contains("vault: error: "), "\(bad)")
        }
        #expect(try vault(world, "attach", "ls", note).out.isEmpty)
    }

    @Test func aFIFOIsReadToItsEnd() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        let path = world.path("fifo")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let writer = try Child(["/bin/sh", "-c", "sleep 0.2; printf 'through a pipe' > \(path)"], environment: [:])
        // Opening it waits for nobody; a writer that comes later is read anyway.
        usleep(400_000)
        let added = try vault(world, "attach", "add", note, path)
        #expect(added.code == 0, "\(added.err)")
        #expect(try world.require(vault(world, "attach", "get", note, "fifo", "-o", "-")).text == "through a pipe")
        _ = writer.wait(seconds: 10)
    }

    @Test func H01namesFromOutsideAreNamesAndNoPaths() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        for name in ["new\nline", "esc\u{1B}[2J", "\u{202E}gpj.exe", String(repeating: "n", count: 250)] {
            try world.require(vault(world, "attach", "add", note, try file(world, name, [1])))
        }
        for name in ["../../escape", "/etc/passwd", "-rf", "..", "CON"] {
            try world.require(vault(world, "attach", "add", note, "-", "--name=" + name, input: [1]))
        }
        let listed = try world.require(vault(world, "attach", "ls", note))
        #expect(listed.lines.count == 9 && !listed.out.contains(0x1B))
        let folder = world.path("out")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for number in 1...9 {
            let code = try Command.run(
                ["/bin/sh", "-c", "cd \(folder) && exec \"$0\" attach get \(note) \(number)", Programs.path("vault")],
                environment: world.environment
            ).code
            #expect(code == 0, "\(number)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 9)
        #expect(!FileManager.default.fileExists(atPath: world.path("escape")))
    }

    @Test func aHugeSparseFileIsEndedByCtrlCAndLeavesNothing() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        let path = world.path("sparse")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(unsafe truncate(path, 100 << 30) == 0)
        let client = try Child([Programs.path("vault"), "attach", "add", note, path], environment: world.environment)
        usleep(700_000)
        let agent = try world.agentPID()
        let resident = try ProcFile.text(agent, "status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kilobytes = resident?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max
        #expect(kilobytes < 128 << 10, "memory does not grow with the file")
        #expect(try world.require(vault(world, "ls")).code == 0, "others are served")
        kill(client.pid, SIGINT)
        #expect(client.wait(seconds: 20) == 130)
        #expect(try vault(world, "attach", "ls", note).out.isEmpty)
        // The thread has seen it within a moment.
        for _ in 0..<100 where try objectCount(world) > 0 { usleep(50_000) }
        #expect(try objectCount(world) == 0)
    }

    @Test func aFileThatChangesWhileItIsReadStoresNothing() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        let path = world.path("log")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(unsafe truncate(path, 400 << 20) == 0)
        let writer = try Child(["/bin/sh", "-c", "while :; do echo more >> \(path); done"], environment: [:])
        let added = try vault(world, "attach", "add", note, path)
        writer.end()
        #expect(added.code == 7 && added.err.contains("changed"), "\(added.err)")
        #expect(try vault(world, "attach", "ls", note).out.isEmpty)
    }

    @Test func manyAttachmentsAreOneNotes() throws {
        let world = try VaultWorld()
        let note = try world.new("a note with many")
        let folder = world.path("many")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        // Ten thousand in the long run; a few hundred show the same batches.
        let count = Int(Programs.text(of: "VAULT_ATTACHMENTS") ?? "") ?? 600
        for number in 0..<count {
            try Data([UInt8(number & 255)]).write(to: URL(fileURLWithPath: folder + "/f\(number)"))
        }
        let added = try Command.run(
            ["/bin/sh", "-c", "exec \"$0\" attach add \(note) \(folder)/*", Programs.path("vault")],
            environment: world.environment, seconds: 600)
        #expect(added.code == 0, "\(added.err)")
        #expect(try world.require(vault(world, "attach", "ls", note)).lines.count == count)
        #expect(
            try world.require(vault(world, "attach", "get", note, "f\(count - 1)", "-o", "-")).out == [
                UInt8((count - 1) & 255)
            ])
        try world.require(vault(world, "rm", note))
        try world.require(vault(world, "restore", note))
        #expect(try world.require(vault(world, "attach", "ls", note)).lines.count == count)
        try world.require(vault(world, "rm", note))
        try world.require(vault(world, "trash", "empty", "--yes"))
        #expect(try objectCount(world) == 0)
    }

    @Test(.enabled(if: Privileges.canMount, "mounting a small disk needs root"))
    func aDiskThatFillsUpInTheMiddleStoresNothingAndLosesNothing() throws {
        let disk = try SmallDisk(byteCount: 8 << 20)
        let world = try VaultWorld(prepared: false)
        world.environment["NOTEVAULT_DIR"] = disk.path + "/vault"
        try world.require(
            world.vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile))
        try world.unlock()
        let note = try world.new("a note")
        try world.require(vault(world, "attach", "add", note, try file(world, "small", pattern(1000))))
        let full = try vault(world, "attach", "add", note, try file(world, "large", pattern(12 << 20)))
        #expect(full.code == 9 && full.err.contains("full"), "\(full.err)")
        #expect(try objectCount(world) == 1, "what was begun is gone")
        #expect(try world.require(vault(world, "attach", "get", note, "small", "-o", "-")).out == pattern(1000))
        try world.require(vault(world, "append", note, "there is room again"))
        #expect(try vault(world, "check").code == 0)
    }

    @Test func A02A06whatIsExchangedOnDiskIsNamedWithExit13() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        try world.require(
            vault(
                world, "attach", "add", note, try file(world, "one", pattern(50_000)),
                try file(world, "two", pattern(50_000).reversed())))
        try world.require(world.vault("lock"))
        let objects = try Command.run(["/usr/bin/find", world.directory + "/objects", "-type", "f"], environment: [:])
            .lines
        let swap = world.path("swap")
        for (from, to) in [(objects[0], swap), (objects[1], objects[0]), (swap, objects[1])] {
            try FileManager.default.moveItem(atPath: from, toPath: to)
        }
        try world.unlock()
        for name in ["one", "two"] { #expect(try vault(world, "attach", "get", note, name, "-o", "-").code == 13) }
        let checked = try vault(world, "check")
        #expect(checked.code == 13 && checked.text.contains("an attachment is not authentic, 2 times (note \(note))"))
    }

    @Test func photosLoseTheirPlaceAndKeepTheirPixels() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        let photo = try file(world, "photo.jpg", JPEGSample.withPlace)
        try world.require(vault(world, "attach", "add", note, photo))
        let stripped = try world.require(vault(world, "attach", "get", note, "photo.jpg", "-o", "-")).out
        #expect(
            !ByteSearch.contains(Array("SERIAL-0815".utf8), in: stripped)
                && ByteSearch.contains(JPEGSample.scan, in: stripped))
        try world.require(vault(world, "attach", "add", note, photo, "--keep-metadata", "--name", "whole.jpg"))
        #expect(
            try world.require(vault(world, "attach", "get", note, "whole.jpg", "-o", "-")).out == JPEGSample.withPlace)
        // What is called a photo and is none the parser understands is not stored without a word.
        let odd = try vault(
            world, "attach", "add", note, try file(world, "odd.jpg", [0xFF, 0xD8, 0xFF, 0xE1, 0, 8, 1, 2]))
        #expect(odd.code == 2 && odd.err.contains("--keep-metadata"))
        #expect(try world.require(vault(world, "attach", "ls", note)).lines.count == 2)
    }
}

/// The smallest picture that a decoder takes, with a place and a serial number in it.
private enum JPEGSample {
    /// Entropy-coded data of one grey block.
    static let scan: [UInt8] = [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00, 0x37]

    static var withPlace: [UInt8] {
        let exif =
            Array("Exif\0\0II".utf8) + [
                0x2A, 0, 8, 0, 0, 0, 1, 0, 0x31, 0xA4, 2, 0, 12, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0,
            ]
            + Array("SERIAL-0815\0".utf8)
        let quantization: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        let dc: [UInt8] = [0xFF, 0xC4, 0, 20, 0] + [1] + [UInt8](repeating: 0, count: 15) + [0]
        let ac: [UInt8] = [0xFF, 0xC4, 0, 20, 0x10] + [1] + [UInt8](repeating: 0, count: 15) + [0]
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + quantization + frame + dc + ac + scan + [
            0xFF, 0xD9,
        ]
    }
}
