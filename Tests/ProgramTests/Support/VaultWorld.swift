// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import CSystemShims
import Foundation
import Glibc

/// One test's own home, runtime directory, state and vault, in a 0700 directory that goes with it.
///
/// The agents that the test started are ended by their process numbers; nobody else's are touched.
final class VaultWorld {
    struct Failed: Error, CustomStringConvertible { let description: String }

    static let password = "corduroy bramble osprey teak nine"

    let root: String
    /// Changed by a test that needs another place for one of them.
    var environment: [String: String]
    private var agents: Set<pid_t> = []
    private var prepared: PreparedVaults.Prepared?

    var directory: String { environment["NOTEVAULT_DIR"]! }
    var passwordFile: String { root + "/password" }

    /// - Parameters:
    ///   - prepared: with a vault, made at the least cost and without a recovery key.
    ///   - unlocked: with its agent running.
    init(prepared: Bool = true, unlocked: Bool = true) throws {
        var template = Array("/tmp/vault-test.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failed(description: "no temporary directory") }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = ["HOME": root + "/home", "XDG_RUNTIME_DIR": root + "/run", "XDG_STATE_HOME": root + "/state"]
        environment["NOTEVAULT_DIR"] = root + "/vault"
        environment["PATH"] = "/usr/bin:/bin"
        environment["TZ"] = "UTC"
        for folder in ["home", "run", "state"] { try makeFolder(folder) }
        try write("password", Self.password)
        if prepared {
            // One that is not opened is known by its place only to the account that has made it there.
            if unlocked { self.prepared = try PreparedVaults.lay(into: self) } else { try makeVault() }
        }
        if prepared && unlocked { try unlock() }
    }

    deinit {
        for pid in agents.union(listeningAgents()) where VaultWorld.isAgent(pid) { kill(pid, SIGKILL) }
        if let prepared { PreparedVaults.giveBack(prepared) }
        try? FileManager.default.removeItem(atPath: root)
    }

    /// Makes a vault at the least cost and without a recovery key.
    func makeVault() throws {
        try require(vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", passwordFile))
    }

    @discardableResult
    func vault(_ arguments: String..., input: [UInt8] = [], seconds: Double = 60) throws -> Finished {
        try vault(arguments, input: input, seconds: seconds)
    }

    func vault(_ arguments: [String], input: [UInt8] = [], seconds: Double = 60) throws -> Finished {
        try Command.run([Programs.path("vault")] + arguments, environment: environment, input: input, seconds: seconds)
    }

    /// Unlocks with the world's password.
    ///
    /// - Returns: the agent's process number.
    @discardableResult
    func unlock(_ options: String...) throws -> pid_t {
        try require(vault(["unlock", "--password-file", passwordFile] + options))
        return try agentPID()
    }

    func tryUnlock(_ options: String..., file: String? = nil) throws -> Finished {
        let finished = try vault(["unlock", "--password-file", file ?? passwordFile] + options)
        if finished.code == 0 { _ = try agentPID() }
        return finished
    }

    /// The process number of the agent, as `vault status` tells it. It is ended with this world.
    @discardableResult
    func agentPID() throws -> pid_t {
        let status = try JSON(vault("status", "--json"))
        guard let pid = status["agentPID"].int, pid > 1 else { throw Failed(description: "no agent is running") }
        agents.insert(pid_t(pid))
        return pid_t(pid)
    }

    /// Has an agent that was started past `unlock` ended with this world.
    func adopt(_ pid: pid_t) { agents.insert(pid) }

    /// Writes a note and returns its identifier.
    func new(_ text: String, _ options: String...) throws -> String {
        try require(vault(["new"] + options + ["--", text])).id
    }

    @discardableResult
    func require(_ finished: Finished) throws -> Finished {
        guard finished.code == 0 else { throw Failed(description: "exit code \(finished.code): \(finished.err)") }
        return finished
    }

    func path(_ name: String) -> String { root + "/" + name }

    func makeFolder(_ name: String) throws {
        guard unsafe mkdir(path(name), 0o700) == 0 else { throw Failed(description: "cannot make \(name): \(errno)") }
    }

    /// Writes a file that only its owner may read.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        unsafe chmod(path(name), 0o600)
        return path(name)
    }

    // MARK: Agents

    /// The vault's socket, when an agent listens or has listened.
    var socket: String? { sockets.first }

    private var sockets: [String] {
        let folder = environment["XDG_RUNTIME_DIR"]! + "/notevault"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".sock") }.sorted().map { folder + "/" + $0 }
    }

    private func listeningAgents() -> [pid_t] { sockets.compactMap { try? AgentLine($0).peer } }

    /// Whether the process is, still, an agent: its number may belong to another by now.
    static func isAgent(_ pid: pid_t) -> Bool {
        isRunning(pid) && (try? ProcFile.text(pid, "cmdline"))?.hasPrefix("vault-agent") == true
    }

    /// Whether a process runs; one that has ended and waits for its parent does not.
    static func isRunning(_ pid: pid_t) -> Bool {
        guard let stat = try? ProcFile.text(pid, "stat"), let end = stat.lastIndex(of: ")") else { return false }
        return !stat[end...].hasPrefix(") Z") && !stat[end...].hasPrefix(") X")
    }

    /// Waits until a process has ended.
    ///
    /// - Returns: after how many seconds, or nil when it still runs.
    static func waitForEnd(of pid: pid_t, seconds: Double) -> Double? {
        let begin = Clock.seconds
        while isRunning(pid) {
            guard Clock.seconds < begin + seconds else { return nil }
            usleep(2000)
        }
        return Clock.seconds - begin
    }
}
