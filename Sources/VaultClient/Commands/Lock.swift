// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import Presentation

struct LockCommand: Command {
    static let name = "lock"
    static var spec: Spec {
        Spec(
            "Lock the vault now.",
            examples: [
                "vault lock": "Lock the vault now.",
                "vault lock --all": "Lock every vault that you have open.",
            ])
    }
    var all = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&all, "all", "Lock every vault of this user.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        all ? try Self.lockAll(context) : try Self.lock(context)
    }
}

/// Ends the agent of one vault, wherever it listens, or all that listen here.
extension LockCommand {
    private static func lock(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        let channel = try Session.connect(try location.vaultID())
        let name = JSONText.quoted(String(decoding: location.directory, as: UTF8.self))
        let json = "{\"schema\":1,\"state\":\"locked\",\"vault\":\(name),\"agentPID\":null}"
        guard let channel else {
            // Nobody listens here; somebody may have the vault open all the same.
            if let holder = try VaultHolder.find(location) {
                try holder.lock(location, context)
                try context.print(json: json, text: "locked; \(holder.name) had it open")
            } else {
                try context.print(json: json, text: "already locked")
            }
            return Outcome(.ok)
        }
        try Session.require(try lock(channel, context))
        try context.print(json: json, text: "locked")
        return Outcome(.ok)
    }

    private static func lockAll(_ context: Context) throws(ClientFailure) -> Outcome {
        let paths: [String]
        do { paths = try AgentAddress.allSocketPaths() } catch { throw AgentConnection.failure(error) }
        var locked = 0
        for path in paths {
            do {
                let outcome = try lock(try AgentAddress.connect(to: path), context)
                try Session.require(outcome)
                locked += 1
            } catch let failure as AgentAddress.Failure {
                // A socket of ours that nobody listens on is what a killed agent leaves; another's socket is not
                // touched.
                if failure == .noAgent { unsafe unlink(path) } else { throw AgentConnection.failure(failure) }
            } catch let failure as ClientFailure {
                throw failure
            } catch {
                throw ClientFailure(.other, "an agent could not be locked")
            }
        }
        try context.print(
            json: "{\"schema\":1,\"locked\":\(locked)}",
            text: locked == 0 ? "already locked" : "locked \(locked) \(locked == 1 ? "vault" : "vaults")")
        return Outcome(.ok)
    }

    /// A stopped one has the keys and cannot be asked: it goes on to take the signal that it locks on.
    private static func endStopped(_ pid: pid_t) throws(ClientFailure) -> Outcome {
        let process = vs_process_descriptor(pid)
        guard process >= 0 else {
            if errno == ESRCH { return Outcome(.ok) }
            throw ClientFailure(
                .other, "the agent (pid \(pid)) is stopped and cannot be ended: \(SystemError.text(errno))")
        }
        defer { close(process) }
        guard vs_signal_process(process, SIGTERM) == 0 || errno == ESRCH,
            vs_signal_process(process, SIGCONT) == 0 || errno == ESRCH
        else {
            throw ClientFailure(
                .other, "the agent (pid \(pid)) is stopped and cannot be ended: \(SystemError.text(errno))")
        }
        var waiting = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, 30_000) > 0 else {
            throw ClientFailure(
                .other, "the agent (pid \(pid)) was told to lock and has not done so in 30 s",
                hint: "kill -9 \(pid) ends it")
        }
        return Outcome(.ok)
    }

    /// An agent of another version cannot be asked; it is told to end by the signal that it locks on.
    static func lock(_ channel: consuming Channel, _ context: Context) throws(ClientFailure) -> Outcome {
        let peer = AgentProcess.pid(of: channel.descriptor)
        if let peer, AgentProcess.isStopped(peer) { return try endStopped(peer) }
        do throws(ClientFailure) {
            var conversation = try Conversation(channel, client: context.client, style: context.style, quiet: true)
            return try conversation.perform(LockVault())
        } catch {
            // One that ended meanwhile has locked.
            guard let peer, kill(peer, SIGTERM) == 0 || errno == ESRCH else { throw error }
            return Outcome(.ok)
        }
    }
}
