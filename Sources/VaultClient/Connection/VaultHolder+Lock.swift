// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

extension VaultHolder {
    /// Locks the vault: asks the agent where it listens, else tells it to end by the signal that it locks on.
    ///
    /// - Throws: `.conflict` for a single command's agent and for processes that are not ours.
    func lock(_ location: VaultLocation, _ context: Context) throws(ClientFailure) {
        // One that has just locked may need a moment more to end.
        if isOurAgent, socket == nil {
            for _ in 0..<50 {
                guard try VaultHolder.find(location) != nil else { return }
                usleep(20_000)
            }
        }
        guard let pid, isOurAgent, let socket else {
            throw ClientFailure(.conflict, "\(name) has this vault open", hint: ending)
        }
        if let channel = try? AgentAddress.connect(to: socket), AgentProcess.pid(of: channel.descriptor) == pid {
            return try Session.require(try LockCommand.lock(channel, context))
        }
        let process = vs_process_descriptor(pid)
        defer { if process >= 0 { close(process) } }
        // The descriptor first, then the look: the number cannot go to another process in between.
        guard process >= 0, try VaultHolder.find(location)?.pid == pid, vs_signal_process(process, SIGTERM) == 0 else {
            throw ClientFailure(.other, "\(name) could not be told to end", hint: "vault status")
        }
        if AgentProcess.isStopped(pid) { _ = vs_signal_process(process, SIGCONT) }
        var waiting = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, 30_000) > 0 else {
            throw ClientFailure(
                .other, "\(name) was told to lock and has not done so in 30 s",
                hint: "vault status; kill -9 \(pid) ends it")
        }
    }

    /// Tells why a command waits for its turn.
    static func sayItWaits(_ holder: VaultHolder) {
        Streams.say("vault: note: \(holder.name) has this vault open; this command waits for it to finish")
    }
}
