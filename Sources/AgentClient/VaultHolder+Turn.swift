// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import CSystemShims
internal import Glibc

extension VaultHolder {
    /// Commands with passwords of their own take turns: each waits for the end of the one before it.
    public struct Turn {
        /// How long somebody waits, and after how long he is told why, in seconds.
        public static let secondsMax = 60.0
        private static let silentSeconds = 2.0
        /// Seconds after which a process counts as a stranger: one that is just starting or ending has no name yet, or
        /// none any more.
        private static let strangerSeconds = 0.3
        private let begin = Self.now
        private let whenLong: (VaultHolder) -> Void
        private var isTold = false
        private var refusals = 0

        /// Begins the wait for a turn; its time counts from here.
        ///
        /// - Parameter whenLong: told once, when the turn has not come for two seconds.
        public init(whenLong: @escaping (VaultHolder) -> Void) { self.whenLong = whenLong }

        /// Waits until nobody has the vault open.
        ///
        /// - Throws: `.conflict` for an agent that stays, a process that is not ours, and after a minute.
        public mutating func wait(_ location: VaultLocation) throws(ClientFailure) {
            var stranger: (pid: Int32?, since: Double)?
            while let holder = try VaultHolder.find(location) {
                let now = Self.now
                let waited = now - begin
                if holder.isOurAgent {
                    stranger = nil
                } else if stranger == nil || stranger?.pid != holder.pid {
                    stranger = (holder.pid, now)
                }
                if let stranger, now - stranger.since < Self.strangerSeconds {
                    usleep(20_000)
                    continue
                }
                guard holder.isOurAgent, holder.socket == nil, waited < Self.secondsMax else {
                    throw ClientFailure(.conflict, "\(holder.name) has this vault open", hint: holder.ending)
                }
                if waited > Self.silentSeconds && !isTold {
                    isTold = true
                    whenLong(holder)
                }
                usleep(20_000)
            }
        }

        /// Says whether an unlock that was refused is to be tried once more: somebody else was quicker.
        public mutating func comesAgain(after outcome: Outcome, _ location: VaultLocation) throws(ClientFailure) -> Bool
        {
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
}
