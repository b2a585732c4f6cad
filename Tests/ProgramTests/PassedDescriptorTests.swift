// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import CSystemShims
import Glibc
import Testing
import VaultFormat

/// What clients may hand to the agent, and what not (docs/agent-protocol.md §6).
@Suite struct PassedDescriptorTests {
    private static let file = AddedFile(name: "x", kind: .file, mediaType: "application/octet-stream")

    private struct Case {
        let world: VaultWorld
        let note: String
        let line: AgentLine

        init() throws {
            world = try VaultWorld()
            note = try world.new("a note")
            line = try AgentLine.greeted(try #require(world.socket))
        }

        func put(_ descriptor: Int32) throws -> AgentLine.Answer {
            try line.send(PutAttachment(ref: note, file: PassedDescriptorTests.file), descriptors: [descriptor])
            return try line.answer()
        }

        func get(_ descriptor: Int32) throws -> AgentLine.Answer {
            try line.send(GetAttachment(ref: note, name: "1", range: nil), descriptors: [descriptor])
            return try line.answer()
        }

        func descriptorCount() throws -> Int {
            let pid = try world.agentPID()
            return try Command.run(["/bin/ls", "/proc/\(pid)/fd"], environment: [:]).lines.count
        }
    }

    @Test func onlyFilesAndPipesThatMayBeReadAreTaken() throws {
        let test = try Case()
        let path = try test.world.write("file", "content")
        var pair: [Int32] = [-1, -1]
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        let refused: [(String, Int32)] = unsafe [
            ("a folder", open(test.world.root, O_RDONLY | O_DIRECTORY)), ("a path", open(path, 0o10000000)),
            ("write-only", open(path, O_WRONLY)),
            ("a device", open("/dev/zero", O_RDONLY)), ("a socket", pair[0]),
            ("a terminal's master", open("/dev/ptmx", O_RDWR | O_NOCTTY)),
        ]
        for (what, descriptor) in refused {
            #expect(descriptor >= 0, "\(what)")
            #expect(try test.put(descriptor).outcome.code == .usage, "\(what)")
            close(descriptor)
        }
        close(pair[1])
        let file = unsafe open(path, O_RDONLY)
        #expect(try test.put(file).outcome.code == .ok)
        #expect(lseek(file, 0, SEEK_CUR) == 0, "its offset is not moved")
        #expect(try test.line.ask(CommitAttachments(ref: test.note)).outcome.code == .ok)
    }

    @Test func onlyFilesAndPipesThatMayBeWrittenAreTaken() throws {
        let test = try Case()
        let source = try test.world.write("file", "content")
        let file = unsafe open(source, O_RDONLY)
        _ = try test.put(file)
        _ = try test.line.ask(CommitAttachments(ref: test.note))
        let path = test.world.path("target")
        let refused: [(String, Int32)] = unsafe [
            ("read-only", file), ("appending", open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)),
            ("a path", open(path, 0o10000000)),
            ("a device", open("/dev/null", O_WRONLY)),
        ]
        for (what, descriptor) in refused { #expect(try test.get(descriptor).outcome.code == .usage, "\(what)") }
        let target = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(try test.get(target).outcome.code == .ok)
        #expect(fcntl(target, F_GETFL) & O_NONBLOCK == 0 && lseek(target, 0, SEEK_CUR) == 0)
        #expect(try Command.run(["/bin/cat", path], environment: [:]).text == "content")
        for (_, descriptor) in refused { close(descriptor) }
        close(target)
    }

    @Test func whatIsNotAskedForEndsTheConnectionAndIsClosed() throws {
        let test = try Case()
        let file = unsafe open(try test.world.write("file", "content"), O_RDONLY)
        defer { close(file) }
        let before = try test.descriptorCount()
        let wrong: [(any Operation, [Int32])] = [
            (ShowStatus(), [file]), (PutAttachment(ref: test.note, file: Self.file), []),
            (PutAttachment(ref: test.note, file: Self.file), [file, file]),
            (ListAttachments(ref: test.note, kind: nil), [file]),
        ]
        for (request, descriptors) in wrong {
            let line = try AgentLine.greeted(try #require(test.world.socket))
            try line.send(request, descriptors: descriptors)
            #expect(line.isClosed(within: 10), "\(request)")
        }
        // In the middle of a frame it goes unseen and is closed by the kernel.
        let line = try AgentLine.greeted(try #require(test.world.socket))
        let payload = ShowStatus().encoded(for: ClientTraits())
        try line.sendRaw(Frame.prefix(.request, byteCount: payload.count))
        try line.sendRaw(payload, descriptors: [file])
        #expect(try line.answer().outcome.code == .ok)
        #expect(try test.line.ask(ShowStatus()).outcome.code == .ok)
        // A connection that was ended is closed in a moment of the agent's own.
        let deadline = Clock.seconds + 10
        var count = try test.descriptorCount()
        while count > before + 1, Clock.seconds < deadline {
            usleep(10_000)
            count = try test.descriptorCount()
        }
        #expect(count <= before + 1)
    }

    @Test func aPipeThatClosesOrEndsIsNoHarm() throws {
        let test = try Case()
        var ends: [Int32] = [-1, -1]
        #expect(unsafe vs_pipe(&ends) == 0)
        close(ends[1])
        #expect(try test.put(ends[0]).outcome.code == .ok, "nothing at all is a content too")
        close(ends[0])
        #expect(unsafe vs_pipe(&ends) == 0)
        let file = unsafe open(try test.world.write("file", String(repeating: "long ", count: 100_000)), O_RDONLY)
        _ = try test.put(file)
        #expect(try test.line.ask(CommitAttachments(ref: test.note)).outcome.code == .ok)
        close(ends[0])
        try test.line.send(GetAttachment(ref: test.note, name: "2", range: nil), descriptors: [ends[1]])
        close(ends[1])
        #expect(try test.line.answer().outcome.message.contains("closed"))
        #expect(try test.line.ask(ShowStatus()).outcome.code == .ok, "the agent is still there")
        close(file)
    }

    @Test func aStalledPipeKeepsNobodyWaitingAndEndsWithItsConnection() throws {
        let test = try Case()
        var ends: [Int32] = [-1, -1]
        #expect(unsafe vs_pipe(&ends) == 0)
        let slow = try AgentLine.greeted(try #require(test.world.socket))
        try slow.send(PutAttachment(ref: test.note, file: Self.file), descriptors: [ends[0]])
        for _ in 0..<20 { #expect(try test.line.ask(ShowStatus()).outcome.code == .ok) }
        try test.world.require(test.world.vault("lock"))
        #expect((try? slow.answer())?.outcome.code ?? .locked == .locked)
        for end in ends { close(end) }
    }
}
