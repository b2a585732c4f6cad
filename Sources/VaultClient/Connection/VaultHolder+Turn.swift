// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

extension VaultHolder {
    /// Commands with passwords of their own take turns: each waits for the end of the one before it.
    struct Turn {
        /// How long somebody waits, and after how long he is told why, in seconds.
        static let secondsMax = 60.0
        private static let silentSeconds = 2.0
        private let begin = Self.now
        private var isTold = false
        private var refusals = 0

        /// Waits until nobody has the vault open.
        ///
        /// - Throws: `.conflict` for an agent that stays, a process that is not ours, and after a minute.
        mutating func wait(_ location: VaultLocation) throws(ClientFailure) {
            var stranger: pid_t?
            while let holder = try VaultHolder.find(location) {
                let waited = Self.now - begin
                // One that ends while it is looked at has no name any more: a stranger is who is seen twice.
                if !holder.isOurAgent, let pid = holder.pid, pid != stranger {
                    stranger = pid
                    usleep(20_000)
                    continue
                }
                guard holder.isOurAgent, holder.socket == nil, waited < Self.secondsMax else {
                    throw ClientFailure(.conflict, "\(holder.name) has this vault open", hint: holder.ending)
                }
                if waited > Self.silentSeconds && !isTold {
                    isTold = true
                    Streams.say("vault: note: \(holder.name) has this vault open; this command waits for it to finish")
                }
                usleep(20_000)
            }
        }

        /// Whether an unlock that was refused is to be tried once more: somebody else was quicker.
        mutating func comesAgain(after outcome: Outcome, _ location: VaultLocation) throws(ClientFailure) -> Bool {
            guard outcome.code == .conflict else { return false }
            refusals += 1
            let isHeld = try VaultHolder.find(location) != nil
            // A conflict with nobody there, again and again, is another one than this.
            guard isHeld || refusals < 4 else { return false }
            try wait(location)
            return true
        }

        private static var now: Double {
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

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
        guard let pid, isOurAgent, let socket else { throw ClientFailure(.conflict, "\(name) has this vault open", hint: ending) }
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
            throw ClientFailure(.other, "\(name) was told to lock and has not done so in 30 s", hint: "vault status; kill -9 \(pid) ends it")
        }
    }
}
