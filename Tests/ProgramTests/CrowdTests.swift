// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

/// Many clients at once, and clients that are slow, broken or mean harm. `make load` does it for minutes.
@Suite(.serialized) struct CrowdTests {
    @Test func silentConnectionsKeepNobodyOut() throws {
        let world = try VaultWorld()
        let path = try #require(world.socket)
        let agent = try world.agentPID()
        var silent: [AgentLine] = []
        for number in 0..<400 { silent.append(number % 2 == 0 ? try AgentLine(path) : try AgentLine.greeted(path)) }
        let id = try world.new("written in a crowd")
        #expect(try world.vault("cat", id).text == "written in a crowd")
        #expect(try world.vault("lock").code == 0)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 5) != nil)
        #expect(silent.count == 400)
    }

    @Test func watchersKeepNobodyOut() throws {
        let world = try VaultWorld()
        let path = try #require(world.socket)
        var watchers: [AgentLine] = []
        for _ in 0..<300 {
            let line = try AgentLine.greeted(path)
            try line.send(WatchNotes(since: nil))
            watchers.append(line)
        }
        let id = try world.new("written beside watchers")
        #expect(try world.vault("cat", id).text == "written beside watchers")
        #expect(try world.vault("lock").code == 0)
        #expect(watchers.count == 300)
    }

    /// A frame's last byte may come with any read of a turn.
    @Test func aFrameThatComesInPiecesIsAnsweredAtOnce() throws {
        let world = try VaultWorld()
        let line = try AgentLine.greeted(#require(world.socket))
        for pieces in 1...10 {
            // Of a note that is not there: the answer waits for the whole frame and for nothing else.
            let request = ReplaceText(ref: "nowhere", text: String(repeating: "x", count: 150_000 * pieces))
            let payload = request.encoded(for: ClientTraits())
            let frame = Frame.prefix(.request, byteCount: payload.count) + payload
            let size = (frame.count + pieces - 1) / pieces
            let begin = Clock.seconds
            for at in stride(from: 0, to: frame.count, by: size) {
                try line.sendRaw(Array(frame[at..<min(at + size, frame.count)]))
            }
            #expect(try line.answer().outcome.code == .notFound)
            #expect(Clock.seconds - begin < 10, "a frame that is not whole is given up after 30 s")
        }
    }

    /// Somebody who announces much and goes away wakes nobody; who only announces much does not keep the others
    /// waiting.
    @Test func clientsThatKeepOthersWaitingAreGivenUp() throws {
        let world = try VaultWorld()
        let path = try #require(world.socket)
        let agent = try world.agentPID()
        let id = try world.new("short")
        begin(3, at: path)
        let deadline = Clock.seconds + 20
        while try kibibytes(agent) < 60 << 10, Clock.seconds < deadline { usleep(20_000) }
        do {
            // Held back, and gone: nothing is left to be read of it, and nothing to be waited for.
            let leaving = try AgentLine.greeted(path)
            try leaving.sendRaw(Array(Self.part.prefix(100_000)))
            usleep(200_000)
        }
        let (before, since) = (try ticks(agent), Clock.seconds)
        usleep(1_000_000)
        #expect(
            try Double(ticks(agent) - before) < 15 * (Clock.seconds - since),
            "it waits, and does not ask again and again")
        let begin = Clock.seconds
        try world.require(
            world.vault("replace", id, "-", input: Array(String(repeating: "long text ", count: 200_000).utf8)))
        #expect(Clock.seconds - begin < 25)
    }

    /// The largest frame that a client may announce, without its end.
    private static let part = Frame.prefix(.request, byteCount: 16 << 20) + [UInt8](repeating: 1, count: 15 << 20)

    /// So many clients send it and wait until they are hung up on.
    private func begin(_ count: Int, at path: String) {
        for _ in 0..<count {
            Thread.detachNewThread {
                guard let line = try? AgentLine.greeted(path) else { return }
                try? line.sendRaw(Self.part)
                _ = line.isClosed(within: 60)
            }
        }
    }

    /// Of a second of the processor, a hundredth each (proc_pid_stat(5), fields 14 and 15).
    private func ticks(_ process: pid_t) throws -> Int {
        let fields = try #require(ProcFile.text(process, "stat").split(separator: ")").last).split(separator: " ")
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }

    @Test func whatIsLeftOfManyLargeFramesTakesLittleMemory() throws {
        let world = try VaultWorld()
        let path = try #require(world.socket)
        let agent = try world.agentPID()
        let before = try kibibytes(agent)
        begin(16, at: path)
        let deadline = Clock.seconds + 3
        while Clock.seconds < deadline {
            #expect(try world.vault("ls").code == 0)
            // 32 MiB of parts, what comes in one turn, and what growing arrays leave behind; without a limit it is 240
            // MiB and more.
            #expect(try kibibytes(agent) - before < 128 << 10)
        }
        #expect(try kibibytes(agent) - before > 24 << 10, "they do arrive")
        kill(agent, SIGKILL)
    }

    @Test func fiftyClientsAndHostileOnesAtOnceLoseNothing() throws {
        let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let python = try #require(
            Programs.system("python3") ?? ["/usr/local/bin/python3"].first { unsafe access($0, X_OK) == 0 })
        let done = try Command.run(
            [python, package + "/Scripts/load.py", "--bin", Programs.directory, "--seconds", "6", "--no-record"],
            environment: ["PATH": "/usr/bin:/bin"], seconds: 120)
        #expect(done.code == 0, "\(done.text)\(done.err)")
        #expect(done.lines.contains { $0.hasPrefix("failures") && $0.hasSuffix(" 0") })
    }

    private func kibibytes(_ process: pid_t) throws -> Int {
        let line = try #require(
            ProcFile.text(process, "status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) ?? 0
    }
}
