// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// An agent that was killed is not gone at once: until the last of its threads has come back from a slow disk, its
/// socket takes connections that nobody answers, and its locks are held by a process that shows no arguments.
@Suite struct EndingAgentTests {
    /// Takes the agent's place: its name, its locks, its socket. Then its first thread ends, as it does of a killed
    /// process, and another one keeps all of that for as long as it was told.
    private static let impostor = """
        import ctypes, fcntl, os, socket, sys, threading, time
        vault, path, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
        library = ctypes.CDLL(None)
        library.prctl(15, b"vault-agent", 0, 0, 0)
        held = []
        for place in (vault + "/lock", vault):
            held.append(os.open(place, os.O_RDONLY))
            fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.lexists(path): os.unlink(path)
        listener = socket.socket(socket.AF_UNIX)
        os.umask(0o077)
        listener.bind(path)
        listener.listen(50)
        threading.Thread(target=lambda: (time.sleep(seconds), os._exit(0))).start()
        print("ready", flush=True)
        library.pthread_exit(None)
        """

    /// Starts it and waits until its first thread is gone.
    private func begin(_ world: VaultWorld, _ socket: String, seconds: Double) throws -> Child {
        try world.write("impostor.py", Self.impostor)
        let python = try #require(
            Programs.system("python3") ?? ["/usr/local/bin/python3"].first { unsafe access($0, X_OK) == 0 })
        let child = try Child(
            [python, world.path("impostor.py"), world.directory, socket, String(seconds)],
            environment: world.environment)
        let start = Clock.seconds
        while (try? ProcFile.text(child.pid, "stat"))?.contains(") Z") != true {
            try #require(Clock.seconds < start + 20, "the first thread has ended")
            usleep(2000)
        }
        return child
    }

    @Test func theNextUnlockWaitsUntilAKilledAgentIsGone() throws {
        let world = try VaultWorld()
        let socket = try #require(world.socket)
        try world.require(world.vault("lock"))
        let ending = try begin(world, socket, seconds: 2)
        let start = Clock.seconds
        try world.require(world.tryUnlock())
        #expect(Clock.seconds - start > 1, "it was not gone yet")
        #expect(try world.vault("ls").code == 0)
        withExtendedLifetime(ending) {}
    }

    @Test func aCommandOfItsOwnWaitsForAKilledAgentToo() throws {
        let world = try VaultWorld()
        let socket = try #require(world.socket)
        try world.require(world.vault("lock"))
        let ending = try begin(world, socket, seconds: 2)
        try world.require(world.vault("ls", "--password-file", world.passwordFile))
        withExtendedLifetime(ending) {}
    }

    @Test func statusSaysLockedWhenAKilledAgentIsGone() throws {
        let world = try VaultWorld()
        let socket = try #require(world.socket)
        try world.require(world.vault("lock"))
        let ending = try begin(world, socket, seconds: 1)
        let said = try world.require(world.vault("status"))
        #expect(said.text == "locked\n")
        withExtendedLifetime(ending) {}
    }
}
