// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import CSystemShims
import Foundation
import Glibc
import Testing

@Suite struct SocketTests {
    @Test func aStaleSocketIsALockedVault() throws {
        let world = try VaultWorld()
        let id = try world.new("before the agent was killed")
        let agent = try world.agentPID()
        kill(agent, SIGKILL)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 5) != nil)
        #expect(world.socket != nil)
        expectRefusal(try world.vault("ls"), 3, says: "locked")
        #expect(try world.vault("status").text == "locked\n")
        #expect(try world.vault("lock").code == 0)
        try world.unlock()
        #expect(try world.vault("cat", id).text == "before the agent was killed")
    }

    @Test(arguments: [mode_t(0o666), 0o660, 0o606, 0o601]) func E02ASocketForOthersIsRefusedBeforeAByteIsSent(
        mode: mode_t
    ) throws {
        let (world, path) = try worldWithPlaceForASocket()
        let impostor = try FakeAgent(at: path, mode: mode)
        for command in [
            ["ls"], ["new", "text"], ["status"], ["lock"], ["unlock", "--password-file", world.passwordFile],
        ] {
            expectRefusal(try world.vault(command), 11, says: "other users can access")
        }
        #expect(impostor.received() == nil)
    }

    @Test func E02ALinkInPlaceOfTheSocketIsNotFollowed() throws {
        let (world, path) = try worldWithPlaceForASocket()
        let impostor = try FakeAgent(at: world.path("elsewhere"), mode: 0o600)
        unsafe unlink(path)
        unsafe symlink(world.path("elsewhere"), path)
        expectRefusal(try world.vault("new", "text"), 11, says: "other users can access")
        expectRefusal(try world.tryUnlock(), 11, says: "other users can access")
        #expect(impostor.received() == nil)
    }

    @Test(arguments: [mode_t(0o777), 0o770, 0o755]) func E02ADirectoryForOthersIsRefused(mode: mode_t) throws {
        let (world, path) = try worldWithPlaceForASocket()
        let impostor = try FakeAgent(at: path, mode: 0o600)
        unsafe chmod(world.path("run/notevault"), mode)
        expectRefusal(try world.vault("new", "text"), 11, says: "other users can access")
        expectRefusal(try world.tryUnlock(), 11, says: "other users can access")
        #expect(impostor.received() == nil)
    }

    @Test(.enabled(if: Privileges.isRoot, "giving a socket away needs root"), arguments: [true, false])
    func E02AnotherUsersSocketOrDirectoryIsRefused(isSocket: Bool) throws {
        let (world, path) = try worldWithPlaceForASocket()
        let impostor = try FakeAgent(at: path, mode: 0o600)
        unsafe chown(isSocket ? path : world.path("run/notevault"), Privileges.otherUser, Privileges.otherUser)
        expectRefusal(try world.vault("new", "text"), 11, says: "other users can access")
        expectRefusal(try world.tryUnlock(), 11, says: "other users can access")
        #expect(impostor.received() == nil)
    }

    /// A socket of our own user is believed to be the agent's; even so no password goes there.
    @Test func E02NoPasswordGoesToASocketThatWasThereBefore() throws {
        let (world, path) = try worldWithPlaceForASocket()
        let impostor = try FakeAgent(at: path, mode: 0o600)
        let client = try Child(
            [Programs.path("vault"), "unlock", "--password-file", world.passwordFile], environment: world.environment)
        usleep(300_000)
        client.end()
        let told = try #require(impostor.received())
        #expect(!ByteSearch.contains(Array(VaultWorld.password.utf8), in: told))
    }

    @Test(.enabled(if: Privileges.canBeOtherUser, "needs root to become another user"))
    func E01AnotherUserIsHungUpOn() throws {
        let world = try VaultWorld()
        let path = try #require(world.socket)
        for folder in [world.root, world.path("run"), world.path("run/notevault")] { unsafe chmod(folder, 0o777) }
        unsafe chmod(path, 0o666)
        let ours = try Command.run(greeting + [path], environment: [:])
        #expect(!ours.out.isEmpty, "the greeting is one that our own user gets an answer to")
        let other = try Command.run(Privileges.asOtherUser(greeting + [path]), environment: [:])
        #expect(other.err == "connected", "the attack reaches the socket")
        #expect(other.out.isEmpty)
        for folder in [world.root, world.path("run"), world.path("run/notevault")] { unsafe chmod(folder, 0o700) }
        unsafe chmod(path, 0o600)
        #expect(try world.vault("status").code == 0)
    }

    /// Says hello on a socket and prints the answer.
    private var greeting: [String] {
        let script = """
            use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or die $!; print STDERR "connected";
            $SIG{PIPE} = 'IGNORE'; syswrite(S, pack("NCnNa*", 12, 1, 1, 5, "0.1.0")); sysread(S, $answer, 100); print $answer;
            """
        return ["/usr/bin/perl", "-e", script]
    }

    @Test func E03NoRequestIsAnsweredBeforeAGreetingOrAfterNonsense() throws {
        let world = try VaultWorld()
        let path = try #require(world.socket)
        let rude = try AgentLine(path)
        #expect(throws: (any Error).self) { try rude.ask(ShowStatus()) }
        let foreign = try AgentLine(path)
        try foreign.sendRaw([0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(foreign.isClosed(within: 5))
        #expect(try AgentLine.greeted(path).ask(ShowStatus()).outcome.code == .ok)
    }

    /// A world whose runtime directory was used once, and the path that the agent's socket has there.
    private func worldWithPlaceForASocket() throws -> (VaultWorld, String) {
        let world = try VaultWorld()
        let path = try #require(world.socket)
        try world.require(world.vault("lock"))
        return (world, path)
    }
}
