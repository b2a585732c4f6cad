// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Foundation
import Glibc
import SecretMemory
import SyncProtocol
import Testing
import VaultTesting

/// Each end against bytes that no program of ours sends.
struct SyncProcessTests {
    private let folder = TemporaryFolder()

    // MARK: A vault-sync that was taken over

    /// Says packets on descriptor 3, after it has read the start and one request.
    private func standIn(_ lines: String) throws -> SyncProcess {
        let script = """
            #!/usr/bin/env -S PATH=/usr/local/bin:/usr/bin:/bin python3
            import array, os, socket, struct, time
            s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=3)
            s.recv(100000)
            READY = struct.pack(">BH", 33, 1)
            \(lines)
            time.sleep(20)
            """
        folder.write(Array(script.utf8), to: "vault-sync")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.file("vault-sync").path)
        let root = PassedFile(taking: unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        while true {
            do throws(SyncProcess.Failure) {
                return try SyncProcess(
                    program: folder.file("vault-sync").path, StartOrder(vault: StoreWorld.vault, settings: .folder),
                    folder: root.descriptor, credential: SecretBytes(zeroes: 0))
            } catch {
                // Another test's child has the new script open for writing until it runs its own program.
                guard error == .notStarted(errno: ETXTBSY) else { throw error }
                usleep(10_000)
            }
        }
    }

    private func firstFailure(_ process: SyncProcess, seconds: Double = 10) throws -> SyncProcess.Failure? {
        let deadline = Date.now.addingTimeInterval(seconds)
        while Date.now < deadline {
            var readable = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&readable, 1, 200)
            do throws(SyncProcess.Failure) { _ = try process.events() } catch { return error }
        }
        return nil
    }

    @Test(arguments: [
        ("nonsense", "s.send(b'nonsense')"),
        ("an answer before it is ready", "s.send(struct.pack('>BIQ', 34, 1, 0))"),
        ("ready twice", "s.send(READY); s.send(READY)"),
        ("another version", "s.send(struct.pack('>BH', 33, 2))"),
        ("an answer to nothing", "s.send(READY); s.send(struct.pack('>BIQ', 34, 99, 0))"),
        ("more than was asked for", "s.send(READY); s.recv(1000); s.send(struct.pack('>BIQ', 34, 1, 5000))"),
        ("the same answer twice", "s.send(READY); s.recv(1000); [s.send(struct.pack('>BIQ', 34, 1, 5)) for _ in '12']"),
        ("an unknown reason", "s.send(READY); s.recv(1000); s.send(struct.pack('>BIBII', 35, 1, 99, 0, 0))"),
        ("a packet that is too long", "s.setsockopt(1, 7, 1 << 20); s.send(b'x' * 80000)"),
        ("a descriptor", "socket.send_fds(s, [READY], [0])"),
        ("many descriptors", "socket.send_fds(s, [READY], [0] * 9)"),
    ]) func M18X62AProcessThatSaysAnythingElseIsNotBelieved(what: String, lines: String) throws {
        let process = try standIn(lines)
        let file = MemoryFile()
        let ticket = try process.get(Names.name(.card, 1), into: file.descriptor, max: 4096)
        #expect(ticket == 1)
        #expect(try firstFailure(process) == .malformed)
    }

    @Test func aProcessThatEndsIsSeenToHaveEnded() throws {
        #expect(try firstFailure(standIn("os._exit(0)")) == .ended)
        let process = try standIn("s.close()")
        #expect(try firstFailure(process) == .ended)
        #expect(throws: SyncProcess.Failure.ended) { try process.delete(Names.name(.card, 1)) }
        #expect(throws: SyncProcess.Failure.self) {
            try SyncProcess(
                program: "/no/such/program", StartOrder(vault: StoreWorld.vault, settings: .folder), folder: 0,
                credential: SecretBytes(zeroes: 0))
        }
    }

    // MARK: An agent that was taken over

    /// Starts the real program, sends packets, closes the end, and gives its exit code.
    private func exitCode(_ packets: [[UInt8]], passing descriptor: Int32? = nil) throws -> Int32 {
        let (channel, end) = try #require(SyncChannel.pair())
        var child: pid_t = 0
        let path = Repository.program("vault-sync").path
        var words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("vault-sync"), nil]
        var none: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        let started = unsafe vs_spawn_agent(path, &words, &none, end, &child)
        unsafe free(words[0])
        close(end)
        try #require(started == 0)
        for (index, packet) in packets.enumerated() {
            try? channel.send(packet, passing: index == 0 ? descriptor : nil)
        }
        shutdown(channel.descriptor, Int32(SHUT_WR))
        var status: Int32 = 0
        unsafe waitpid(child, &status, 0)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    private var start: [UInt8] { SyncRequest.start(StartOrder(vault: StoreWorld.vault, settings: .folder)).encoded }

    @Test func X62EveryStartThatIsNoneEndsTheProcess() throws {
        let root = PassedFile(taking: unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        #expect(try exitCode([]) == 11)
        #expect(try exitCode([[0]]) == 11)
        #expect(try exitCode([start]) == 11, "without the folder")
        #expect(try exitCode([SyncRequest.watch(1).encoded]) == 11)
        #expect(try exitCode([Array(start.dropLast())], passing: root.descriptor) == 11)
        #expect(try exitCode([start], passing: root.descriptor) == 0)
        let address = try #require(RemoteAddress("https://127.0.0.1"))
        let web = SyncRequest.start(StartOrder(vault: StoreWorld.vault, settings: .webDAV(address))).encoded
        #expect(try exitCode([web]) == 11, "without a credential")
        for credential in [[0], [1, 2, 3], Array("a:b\0c\0".utf8), Array("a\0b\0c\0".utf8), Array("a\nb\0c\0".utf8)]
            as [[UInt8]]
        {
            #expect(try exitCode([web, credential]) == 11)
        }
        #expect(try exitCode([web, Array("a\0b\0".utf8)]) == 0)
    }

    @Test func X62EveryRequestThatIsNoneEndsTheProcess() throws {
        let root = PassedFile(taking: unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        let get = SyncRequest.get(1, Names.name(.card, 1), max: 5).encoded
        for packet in [[9], get, Array(get.dropLast()), start, SyncAnswer.ready.encoded] as [[UInt8]] {
            #expect(try exitCode([start, packet], passing: root.descriptor) == 13)
        }
        #expect(
            try exitCode(
                [start] + (0..<40).map { SyncRequest.delete($0, Names.name(.card, 1)).encoded },
                passing: root.descriptor) == 13)
    }

    /// A file that is another than was said is not sent.
    @Test func aPutOfAnotherFileThanWasSaidIsRefused() throws {
        var order = StartOrder(vault: StoreWorld.vault, settings: .folder)
        order.createsVaultFolder = true
        let remote = try Remote(order, folder: folder.url)
        let file = MemoryFile([1, 2, 3])
        let name = Names.name(.card, 1)
        let digest = [UInt8](repeating: 0, count: 32)
        for (descriptor, count) in [(file.descriptor, 2), (file.descriptor, 4), (remote.process.descriptor, 3)] {
            let ticket = try remote.process.put(name, from: descriptor, byteCount: count, digest: digest)
            #expect(try remote.next(5) == .failed(ticket, StoreFailure(.local, detail: EINVAL)))
        }
        #expect(try remote.get(name).failure != nil)
    }
}
