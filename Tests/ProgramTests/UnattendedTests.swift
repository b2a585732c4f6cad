// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Syncing while nobody has unlocked the vault, with a real keyring and a TPM that is a program.
@Suite struct UnattendedTests {
    /// A vault with a note and a remote, locked, in a session with a keyring.
    private final class Session {
        let world: VaultWorld
        private var children: [Child] = []

        init() throws {
            world = try VaultWorld(unlocked: false)
            try world.makeFolder("remote")
            try pass("remote", "add", "folder", world.path("remote"))
            let address = "unix:path=" + world.path("run/bus")
            world.environment["DBUS_SESSION_BUS_ADDRESS"] = address
            try start("dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=" + address])
            while unsafe access(world.path("run/bus"), F_OK) != 0 { usleep(2000) }
            let login = try world.write("login", "the password of the login")
            let secret = unsafe open(login, O_RDONLY)
            defer { close(secret) }
            try start(
                "gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"], input: secret)
            try waitFor { try tool("search", "service", "nothing").code == 0 }
        }

        @discardableResult
        func pass(_ arguments: String...) throws -> Finished {
            try world.require(world.vault(arguments + ["--password-file", world.passwordFile]))
        }

        func syncNow() throws -> Finished { try world.vault("sync", "now", "--unattended", "--no-input") }

        func start(_ name: String, _ arguments: [String], input: Int32 = -1) throws {
            let path = try #require(Programs.system(name))
            children.append(
                try Child([path] + arguments, environment: world.environment, streams: [input, -1, -1]))
        }

        func tool(_ arguments: String...) throws -> Finished {
            try Command.run(
                [#require(Programs.system("secret-tool"))] + arguments, environment: world.environment, seconds: 20)
        }

        /// The key that the keyring has of the vault; empty without one.
        func kept() throws -> String { try tool("lookup", "service", "notevault", "vault", vaultID()).text }

        var record: String { get throws { try world.path("state/notevault/unattended/") + vaultID() } }

        func endKeyring() { children.removeLast() }

        func waitFor(_ holds: () throws -> Bool) throws {
            let deadline = Clock.seconds + 20
            while try !holds() {
                try #require(Clock.seconds < deadline)
                usleep(10_000)
            }
        }

        func vaultID() throws -> String {
            let header = try Data(contentsOf: URL(filePath: world.directory + "/header"))
            return header[6..<22].map { String(format: "%02x", $0) }.joined()
        }
    }

    @Test func X70aLockedVaultSyncsWithAKeyFromTheKeyring() throws {
        let session = try Session()
        let world = session.world
        let refused = try session.syncNow()
        #expect(refused.code == 3 && refused.err.contains("vault sync unattended keyring"))
        try session.pass("sync", "unattended", "keyring")
        _ = try session.pass("new", "# Of the night\nwritten")
        let synced = try session.syncNow()
        #expect(synced.code == 0 && synced.text.contains("sent"), "\(synced.err)")
        // Nobody's agent stays, and another device has the note.
        #expect(try world.vault("ls").code == 3)
        let other = try VaultWorld(prepared: false, unlocked: false)
        try other.require(other.vault("clone", world.path("remote"), "--password-file", other.passwordFile))
        #expect(try JSON(other.vault("ls", "--json", "--password-file", other.passwordFile))["notes"].array.count == 1)
        // The key is one of the vault's, and a long one.
        #expect(try session.kept().utf8.count == 66)
        #expect(try session.pass("key", "ls").text.contains("unattended "))

        // Set anew it is another key, and still one.
        let before = try session.kept()
        try session.pass("sync", "unattended", "keyring")
        #expect(try session.kept() != before)
        #expect(try session.pass("key", "ls").text.split(separator: "\n").count == 2)
        #expect(try session.syncNow().code == 0)

        try session.pass("sync", "unattended", "off")
        #expect(try session.kept().isEmpty)
        #expect(!(try session.pass("key", "ls").text.contains("unattended ")))
        #expect(try session.syncNow().code == 3)
    }

    @Test func anOpenVaultLocksNoLaterForIt() throws {
        let session = try Session()
        let world = session.world
        try session.pass("sync", "unattended", "keyring")
        try world.unlock("--idle", "100s")
        sleep(3)
        #expect(try session.syncNow().code == 0)
        let left = try JSON(world.vault("status", "--json"))["idleSecondsLeft"].int ?? 100
        #expect(left <= 97, "\(left)")
    }

    @Test func aPersonWhoUnlocksEndsASyncThatRunsByItself() throws {
        let session = try Session()
        let world = session.world
        try session.pass("sync", "unattended", "keyring")
        // A service that takes a request and says nothing holds the sync up for a minute.
        let said = world.path("cloud.json")
        let written = unsafe open(said, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(written) }
        try world.makeFolder("cloud")
        let cloud = try Child(
            [
                #require(Programs.system("python3")), "-B", Self.package + "/Tests/Clouds/dropbox.py", "--app-key",
                "abcdefghijklmno", world.path("cloud"),
            ], environment: [:], streams: [try Self.silentInput(), written, -1])
        try session.waitFor { (try String(contentsOfFile: said, encoding: .utf8)).hasSuffix("\n") }
        let service = try JSON(text: String(contentsOfFile: said, encoding: .utf8))
        let (url, token) = (try #require(service["url"].string), try #require(service["refresh_token"].string))
        try session.pass(
            "remote", "add", "dropbox", "abcdefghijklmno", "--server", url, "--secret-file",
            try world.write("token", token))
        try Self.set(url, #"{"fault":"silence","path":".*","count":1000}"#)
        let sync = try Child(
            [Programs.path("vault"), "sync", "now", "--unattended", "--no-input"], environment: world.environment)
        sleep(4)
        #expect(!sync.hasEnded && !cloud.hasEnded)
        let begin = Clock.seconds
        try world.unlock()
        #expect(Clock.seconds - begin < 20)
        #expect(sync.wait(seconds: 10) != nil)
        #expect(try world.vault("ls").code == 0)
        cloud.end()
    }

    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// An input that does not end while the test runs: the service ends with it.
    private static func silentInput() throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw VaultWorld.Failed(description: "no pipe") }
        return ends[0]
    }

    private static func set(_ url: String, _ fault: String) throws {
        let words = ["/usr/bin/curl", "-sf", "-m", "10", "-X", "POST", "-d", fault, url + "/control"]
        guard try Command.run(words, environment: [:]).code == 0 else {
            throw VaultWorld.Failed(description: "the service takes no fault")
        }
    }

    @Test func twoVaultsOfOneMachineHaveTheirOwnKeys() throws {
        let session = try Session()
        let world = session.world
        try session.pass("sync", "unattended", "keyring")
        let first = try session.record
        let directory = world.directory
        world.environment["NOTEVAULT_DIR"] = world.path("second")
        try session.pass("init", "--kdf-target", "0", "--no-recovery")
        try world.makeFolder("other-remote")
        try session.pass("remote", "add", "folder", world.path("other-remote"))
        try session.pass("sync", "unattended", "keyring")
        #expect(try session.record != first)
        #expect(try session.syncNow().code == 0)
        try session.pass("sync", "unattended", "off")
        #expect(try session.syncNow().code == 3)
        world.environment["NOTEVAULT_DIR"] = directory
        #expect(try session.syncNow().code == 0)
    }

    @Test func aKeyThatIsNotThereAnyMoreIsSaid() throws {
        let session = try Session()
        let world = session.world
        try session.pass("sync", "unattended", "keyring")
        let name = try #require(
            try session.pass("key", "ls").text.split(separator: "\n").first { $0.contains("unattended ") })
        try session.pass("key", "rm", String(name.prefix(8)), "--yes")
        let removed = try session.syncNow()
        #expect(removed.code == 4 && removed.err.contains("vault sync unattended keyring"), "\(removed.err)")
        // It is not tried again: a wrong password makes the next one wait.
        let again = try session.syncNow()
        #expect(again.code == 4 && again.seconds < 2)
        #expect(try world.tryUnlock().seconds < 3)
        try world.require(world.vault("lock"))
        try session.pass("sync", "unattended", "keyring")
        // A keyring that is gone holds nobody up.
        session.endKeyring()
        let gone = try session.syncNow()
        #expect(gone.code == 3 && gone.err.contains("keyring"), "\(gone.code) \(gone.err)")
        // What a keyring may still have is not said to be gone, and a new key does not come to be.
        let ending = try world.vault("sync", "unattended", "off", "--password-file", world.passwordFile)
        #expect(ending.code == 1 && ending.err.contains("still has the key"), "\(ending.err)")
        let refused = try world.vault("sync", "unattended", "keyring", "--password-file", world.passwordFile)
        #expect(refused.code == 3)
        #expect(!(try session.pass("key", "ls").text.contains("unattended ")))
    }

    @Test func X70theKeyIsInNoArgumentAndNoVariable() throws {
        let session = try Session()
        let world = session.world
        let trace = world.path("trace")
        let strace = try #require(Programs.system("strace"))
        let words = [
            strace, "-f", "-v", "-s", "4096", "-e", "trace=execve", "-o", trace, Programs.path("vault"), "sync",
            "unattended", "keyring", "--password-file", world.passwordFile,
        ]
        try world.require(Command.run(words, environment: world.environment, seconds: 60))
        let seen = try String(contentsOfFile: trace, encoding: .utf8)
        let key = try session.kept()
        #expect(seen.contains("secret-tool") && key.hasPrefix("vkf1-"))
        #expect(!seen.contains(key.dropFirst(5).prefix(20)))
        for place in [world.path("home"), world.path("state"), world.directory] {
            let found = try Command.run(
                ["/bin/grep", "-rlF", String(key.dropFirst(5).prefix(20)), place], environment: world.environment)
            #expect(found.text.isEmpty, "\(found.text)")
        }
    }

    /// Only root has a TPM that is a program; people have `systemd-creds --user` of systemd 256.
    @Test(.enabled(if: geteuid() == 0)) func aLockedVaultSyncsWithAKeyThatTheTPMOpens() throws {
        let session = try Session()
        let world = session.world
        let port = Int.random(in: 20_000..<30_000) * 2
        try world.makeFolder("tpm")
        try session.start(
            "swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=" + world.path("tpm"), "--flags",
                "not-need-init,startup-clear", "--server", "type=tcp,port=\(port),bindaddr=127.0.0.1", "--ctrl",
                "type=tcp,port=\(port + 1),bindaddr=127.0.0.1",
            ])
        world.environment["SYSTEMD_TPM2_DEVICE"] = "swtpm:host=127.0.0.1,port=\(port)"
        world.environment["SYSTEMD_CREDENTIAL_SECRET"] = world.path("credential.secret")
        try session.waitFor {
            try session.world.vault("sync", "unattended", "tpm", "--password-file", world.passwordFile).code == 0
        }
        _ = try session.pass("new", "# Of the night\nwritten")
        let synced = try session.syncNow()
        #expect(synced.code == 0, "\(synced.err)")
        #expect(try session.kept().isEmpty)
        // Without that TPM the file opens nowhere.
        world.environment["SYSTEMD_TPM2_DEVICE"] = "swtpm:host=127.0.0.1,port=9"
        let elsewhere = try session.syncNow()
        #expect(elsewhere.code == 3 && elsewhere.err.contains("TPM"), "\(elsewhere.err)")
    }
}
