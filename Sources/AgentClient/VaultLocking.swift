// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `VaultLocking` locks vaults: finds the agents that have them open, has each lock, and waits for its end. It prints
/// nothing.
public struct VaultLocking {
    /// `Found` says who had a vault open.
    public enum Found: Equatable {
        case nobody
        /// The agent that listens where this process looks.
        case agent
        /// Another session's.
        case other(VaultHolder)
    }

    /// Seconds that an agent gets to end by a signal.
    private static let secondsMax: Int32 = 30
    public var traits = ClientTraits()
    /// Told the number of an agent that has not greeted for two seconds.
    public var whenSilent: (Int32) -> Void = { _ in }

    public init() {}

    /// Locks one vault, wherever its agent listens. When this returns, the keys are gone.
    ///
    /// - Throws: `.conflict` for a single command's agent and for processes that are not ours; what an agent could not
    ///   save.
    public func lock(_ location: VaultLocation) throws(ClientFailure) -> Found {
        if let channel = try AgentConnection.channel(to: try location.vaultID()) {
            try lock(channel)
            return .agent
        }
        // Nobody listens here; somebody may have the vault open anyway.
        guard let holder = try VaultHolder.find(location) else { return .nobody }
        try lock(holder, location)
        return .other(holder)
    }

    /// Locks every vault whose agent listens in this session's runtime directory.
    ///
    /// - Returns: how many there were.
    public func lockAll() throws(ClientFailure) -> Int {
        let paths: [String]
        do { paths = try AgentAddress.allSocketPaths() } catch { throw AgentConnection.failure(error) }
        var count = 0
        for path in paths {
            let channel: Channel
            do { channel = try AgentAddress.connect(to: path) } catch {
                // A socket of ours that nobody listens on is what a killed agent leaves; another's socket is not
                // touched.
                guard error == .noAgent else { throw AgentConnection.failure(error) }
                unsafe unlink(path)
                continue
            }
            try lock(channel)
            count += 1
        }
        return count
    }

    /// Asks an agent to lock. One of another version cannot be asked; it is told to end by the signal that it locks on.
    private func lock(_ channel: consuming Channel) throws(ClientFailure) {
        let peer = AgentProcess.pid(of: channel.descriptor)
        if let peer, AgentProcess.isStopped(peer) { return try endStopped(peer) }
        let outcome: Outcome
        do throws(ClientFailure) {
            var agent = try AgentConnection(channel, traits: traits, whenSilent: whenSilent)
            outcome = try agent.request(LockVault()).outcome
        } catch {
            // One that ended meanwhile has locked.
            guard let peer, kill(peer, SIGTERM) == 0 || errno == ESRCH else { throw error }
            return
        }
        try outcome.require()
    }

    /// Ends an agent that is stopped. It has the keys and cannot be asked: it goes on to take the signal that it locks
    /// on.
    private func endStopped(_ pid: pid_t) throws(ClientFailure) {
        let process = vs_process_descriptor(pid)
        guard process >= 0 else {
            if errno == ESRCH { return }
            throw Self.cannotEnd(pid)
        }
        defer { close(process) }
        guard vs_signal_process(process, SIGTERM) == 0 || errno == ESRCH,
            vs_signal_process(process, SIGCONT) == 0 || errno == ESRCH
        else { throw Self.cannotEnd(pid) }
        guard Self.ends(process) else {
            throw ClientFailure(
                .other, "the agent (pid \(pid)) was told to lock and has not done so in \(Self.secondsMax) s",
                hint: "kill -9 \(pid) ends it")
        }
    }

    private static func cannotEnd(_ pid: pid_t) -> ClientFailure {
        ClientFailure(.other, "the agent (pid \(pid)) is stopped and cannot be ended: \(SystemError.text(errno))")
    }

    private static func ends(_ process: Int32) -> Bool {
        var waiting = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, secondsMax * 1000) > 0
    }

    /// Asks another session's agent where it listens, else tells it to end by the signal that it locks on.
    private func lock(_ holder: VaultHolder, _ location: VaultLocation) throws(ClientFailure) {
        // One that has just locked may need a moment more to end.
        if holder.isOurAgent, holder.socket == nil {
            for _ in 0..<50 {
                guard try VaultHolder.find(location) != nil else { return }
                usleep(20_000)
            }
        }
        guard let pid = holder.pid, holder.isOurAgent, let socket = holder.socket else {
            throw ClientFailure(.conflict, "\(holder.name) has this vault open", hint: holder.ending)
        }
        if let channel = try? AgentAddress.connect(to: socket), AgentProcess.pid(of: channel.descriptor) == pid {
            return try lock(channel)
        }
        let process = vs_process_descriptor(pid)
        defer { if process >= 0 { close(process) } }
        // The descriptor first, then the look: the number cannot go to another process in between.
        guard process >= 0, try VaultHolder.find(location)?.pid == pid, vs_signal_process(process, SIGTERM) == 0 else {
            throw ClientFailure(.other, "\(holder.name) could not be told to end", hint: "vault status")
        }
        if AgentProcess.isStopped(pid) { _ = vs_signal_process(process, SIGCONT) }
        guard Self.ends(process) else {
            throw ClientFailure(
                .other, "\(holder.name) was told to lock and has not done so in \(Self.secondsMax) s",
                hint: "vault status; kill -9 \(pid) ends it")
        }
    }
}
