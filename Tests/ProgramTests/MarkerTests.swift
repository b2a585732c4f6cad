// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// No file holds what was written: the promise against whoever gets the disk.
@Suite struct MarkerTests {
    @Test func G03NoFileHoldsAMarkerAfterTheMainJob() throws {
        let places = ["/tmp", "/var/tmp", "/dev/shm"]
        let before = Set(places.flatMap(Self.entries))
        let world = try VaultWorld()
        let marker = "quokka\(world.root.suffix(6))"
        try doMainJob(world, marker: marker)
        #expect(
            Self.files(holding: marker, below: world.path("notes")).count == 2,
            "the search finds a marker where there is one")

        for isLocked in [false, true] {
            if isLocked { try world.require(world.vault("lock")) }
            for folder in ["vault", "state", "run", "home"] {
                #expect(Self.files(holding: marker, below: world.path(folder)).isEmpty)
                #expect(Self.files(holding: VaultWorld.password, below: world.path(folder)).isEmpty)
            }
        }
        for entry in Set(places.flatMap(Self.entries)).subtracting(before) where entry != world.root {
            #expect(Self.files(holding: marker, below: entry).isEmpty)
        }
    }

    @Test(.enabled(if: SystemTrace.isPermitted, "strace is missing, or tracing is not permitted here"))
    func G03StraceOfNewShowAndSearchShowsNoMarkerInAWriteToARegularFile() throws {
        let world = try VaultWorld(unlocked: false)
        let marker = "numbat\(world.root.suffix(6))"
        let agentTrace = world.path("agent.trace")
        let tracer = try Child(
            SystemTrace.command(output: agentTrace) + [
                Programs.path("vault"), "unlock", "--password-file", world.passwordFile,
            ],
            environment: world.environment)
        try waitUntilUnlocked(world)
        var traces = [agentTrace]
        let id = try world.new("kept for the commands below")
        for (number, command) in [
            ["new", "\(marker) text", "--title", "\(marker) title"], ["append", id, marker],
            ["show", marker + " title"],
            ["search", marker], ["ls", "--long"],
        ].enumerated() {
            traces.append(world.path("client\(number).trace"))
            let line = SystemTrace.command(output: traces.last!) + [Programs.path("vault")] + command
            try world.require(Command.run(line, environment: world.environment))
        }
        try world.require(world.vault("lock"))
        #expect(tracer.wait(seconds: 20) != nil)

        var sawMarker = false
        var sawLog = false
        for path in traces {
            for call in try SystemTrace.calls(in: path) {
                sawLog = sawLog || (call.file?.hasSuffix("index-1.db-wal") ?? false)
                if call.mapsForWriting {
                    #expect(!call.reachesADisk(besides: world.path("run")), "\(call.text.prefix(300))")
                }
                guard call.text.contains(marker) else { continue }
                sawMarker = true
                #expect(!call.reachesADisk(besides: world.path("run")), "\(call.text.prefix(300))")
            }
        }
        #expect(sawMarker && sawLog, "the traces hold the writes of client and agent")
    }

    private func doMainJob(_ world: VaultWorld, marker: String) throws {
        try world.makeFolder("notes")
        try world.write("notes/a.md", "---\ntags: [\(marker)]\n---\n# A \(marker)\n")
        try world.write("notes/b.txt", "plain \(marker)")
        try world.require(world.vault("import", "markdown", world.path("notes")))
        let id = try world.new(
            "\(marker) in a body", "--title", "\(marker) title", "--tag", marker, "--notebook", marker)
        try world.require(world.vault("append", id, "-", input: Array("appended \(marker)".utf8)))
        try world.require(world.vault("replace", id, "replaced \(marker)"))
        for command in [
            ["show", id], ["search", marker], ["ls", "--long"], ["rm", id], ["trash", "ls"],
            ["check", "--rebuild-index"],
        ] {
            try world.require(world.vault(command))
        }
    }

    private func waitUntilUnlocked(_ world: VaultWorld) throws {
        let deadline = Clock.seconds + 60
        // An agent that holds the lock and does not listen yet is one that cannot be reached.
        func isReached() throws -> Bool {
            let status = try JSON(world.vault("status", "--json"))
            return status["state"].string == "unlocked" && status["reachable"].bool != false
        }
        while try !isReached() {
            guard Clock.seconds < deadline else { throw VaultWorld.Failed(description: "not unlocked under strace") }
            usleep(50_000)
        }
        try world.agentPID()
    }

    private static func entries(of folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { folder + "/" + $0 }
    }

    /// Regular files, however deep, with a text in their bytes or their names.
    private static func files(holding text: String, below place: String) -> [String] {
        let names = [""] + (FileManager.default.subpaths(atPath: place) ?? []).map { "/" + $0 }
        return names.filter { name in
            var status = stat()
            guard unsafe lstat(place + name, &status) == 0 else { return false }
            if name.contains(text) { return true }
            guard status.st_mode & S_IFMT == S_IFREG, let bytes = try? ProcFile.bytes(place + name) else {
                return false
            }
            return ByteSearch.contains(Array(text.utf8), in: bytes)
        }
    }
}
