// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A person at a shell, as root and as a user without privileges: unlocks, writes, locks, or has the programs crash.
/// Afterwards the password, the vault's key and what was written are looked for everywhere.
@Suite(
    .serialized,
    .enabled(if: Privileges.canBeOtherUser, "reading every process's memory and becoming another user need root"))
struct SecretTests {
    private static let marker = "wombat-\(UUID().uuidString.prefix(8))"

    @Test(arguments: [true, false]) func E06G03G06AfterALockNothingSecretIsLeftAnywhere(asRoot: Bool) throws {
        let person = try Person(asRoot: asRoot)
        let places = SecretPlaces(root: person.root)
        let shell = try person.shell()
        let agent = try person.unlockAndWrite(shell, Self.marker)
        let key = try person.vaultKey()
        #expect(try ProcFile.countInMemory(of: agent, key).hits > 0, "an open agent has the key: the search finds it")
        try shell.type("vault lock\r")
        try shell.wait(for: "locked")
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        try expectNothing(person, shell, places, key)
    }

    @Test(arguments: [true, false]) func E06E07AfterACrashNothingSecretIsLeftAnywhere(asRoot: Bool) throws {
        let person = try Person(asRoot: asRoot)
        let places = SecretPlaces(root: person.root)
        let shell = try person.shell()
        let agent = try person.unlockAndWrite(shell, Self.marker)
        let key = try person.vaultKey()
        // As a fault of its own would: with a signal that makes core files.
        #expect(kill(agent, SIGSEGV) == 0)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        try shell.type("vault unlock\r")
        try shell.wait(for: "Password: ")
        try shell.type(VaultWorld.password)
        // What the kernel has not handed over yet would be the next reader's, the shell's.
        shell.waitForQuiet(seconds: 0.3)
        let client = try #require(person.client(of: shell))
        #expect(kill(client, SIGABRT) == 0)
        #expect(VaultWorld.waitForEnd(of: client, seconds: 10) != nil)
        shell.waitForQuiet(seconds: 0.3)
        #expect(
            !shell.transcript.contains("Fatal error") && !shell.transcript.contains("Thread 0"),
            "a trap tells what lay in registers")
        try expectNothing(person, shell, places, key)
    }

    private func expectNothing(_ person: Person, _ shell: TerminalSession, _ places: SecretPlaces, _ key: [UInt8])
        throws
    {
        let hexadecimal = key.flatMap { [UInt8]($0 < 16 ? "0".utf8 : "".utf8) + Array(String($0, radix: 16).utf8) }
        let secrets = [Array(Self.marker.utf8), key, hexadecimal, Array(Data(key).base64EncodedString().utf8)]
        let password = Array(VaultWorld.password.utf8)
        for secret in secrets + [password] {
            #expect(try ProcFile.countInMemory(of: shell.pid, secret).hits == 0, "the shell's memory")
        }
        #expect(
            try ProcFile.countInMemory(of: shell.pid, Array("vault unlock".utf8)).hits > 0,
            "the search sees the shell's memory")
        // So that the shell writes its history.
        try shell.type("\u{15}exit\r")
        #expect(try shell.finish() >= 0)
        let history = try String(contentsOfFile: person.home + "/.bash_history", encoding: .utf8)
        #expect(history.contains("vault unlock"))
        #expect(places.holding(secrets, shared: password) == [])
        // The search sees what there is.
        try Data(key).write(to: URL(filePath: person.home + "/tmp/core"))
        #expect(places.holding(secrets, shared: password) == [person.home + "/tmp/core"])
    }
}

/// Somebody with a home, a vault in it and an interactive shell.
private final class Person {
    private let world: VaultWorld?
    private let unprivileged: UnprivilegedWorld?
    private var environment: [String: String]
    let root: String
    var home: String { root + "/home" }

    init(asRoot: Bool) throws {
        world = asRoot ? try VaultWorld(unlocked: false) : nil
        unprivileged = asRoot ? nil : try UnprivilegedWorld()
        root = world?.root ?? unprivileged?.world.root ?? ""
        environment = world?.environment ?? unprivileged?.environment ?? [:]
        environment["TERM"] = "xterm"
        environment["TMPDIR"] = home + "/tmp"
        environment["HISTFILE"] = home + "/.bash_history"
        let programs = asRoot ? Programs.directory : root + "/bin"
        environment["PATH"] = programs + ":/usr/bin:/bin"
        unsafe mkdir(home + "/tmp", 0o700)
        if !asRoot { unsafe chown(home + "/tmp", Privileges.otherUser, Privileges.otherUser) }
        // The password file of other tests would be found; here it is typed.
        unsafe unlink(root + "/password")
    }

    func shell() throws -> TerminalSession {
        let bash = ["/bin/bash", "--norc", "--noprofile", "-i"]
        let shell = try TerminalSession(
            unprivileged == nil ? bash : Privileges.asOtherUser(bash), environment: environment)
        // A core file may be as large as it likes, and would lie here.
        try shell.type("PS1='> '; ulimit -c unlimited; cd \(home)/tmp; unset PROMPT_COMMAND; echo rea''dy\r")
        try shell.wait(for: "ready")
        return shell
    }

    /// - Returns: the agent's process.
    func unlockAndWrite(_ shell: TerminalSession, _ text: String) throws -> pid_t {
        try shell.type("vault unlock\r")
        try shell.answer("Password: ", VaultWorld.password)
        try shell.wait(for: "unlocked")
        // From the terminal: what a person types to a program is in no history.
        try shell.type("vault new -\r")
        shell.waitForQuiet(seconds: 0.3)
        try shell.type("\(text) is what I write\r\u{04}")
        try shell.type("vault search what --json\r")
        try shell.wait(for: "is what I write")
        try shell.type("vault status --json\r")
        try shell.wait(for: "\"agentPID\":")
        shell.waitForQuiet(seconds: 0.2)
        let pid = shell.transcript.components(separatedBy: "\"agentPID\":").last?.prefix { $0.isNumber } ?? ""
        guard let agent = pid_t(pid) else { throw VaultWorld.Failed(description: "no agent: \(shell.transcript)") }
        (world ?? unprivileged?.world)?.adopt(agent)
        return agent
    }

    /// The `vault` process that the shell waits for.
    func client(of shell: TerminalSession) -> pid_t? {
        let children = (try? ProcFile.text(shell.pid, "task/\(shell.pid)/children")) ?? ""
        return children.split(separator: " ").compactMap { pid_t($0) }.first
    }

    /// The vault's key, as docs/format.md says it is found: by a program that shares no code with ours.
    func vaultKey() throws -> [UInt8] {
        let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let script =
            "import sys; sys.path.insert(0, sys.argv[1] + '/Vectors'); import opens_vault; "
            + "v = opens_vault.Vault.__new__(opens_vault.Vault); import pathlib; v.folder = pathlib.Path(sys.argv[2]); k = opens_vault.keys; "
            + "h = k.parse_header(v.read('header')); print(v.unwrap(h, sys.stdin.buffer.read(), None).hex())"
        let python = package + "/bench-out/venv/bin/python"
        let directory = environment["NOTEVAULT_DIR"] ?? ""
        // Standard input: the password must be in no argument, here neither.
        let done = try Command.run(
            [python, "-c", script, package, directory], environment: ["PATH": "/usr/bin:/bin"],
            input: Array(VaultWorld.password.utf8))
        let text = done.text.filter { $0.isHexDigit }
        guard done.code == 0, text.count == 64 else { throw VaultWorld.Failed(description: done.err) }
        return stride(from: 0, to: 64, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
    }
}
