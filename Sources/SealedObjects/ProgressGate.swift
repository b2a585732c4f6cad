// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Asks the caller's closure whether to go on, but not for every chunk. On the caller's thread only.
final class ProgressGate {
    private static let stepByteCount: UInt64 = 1 << 20
    private static let stepDuration = Duration.milliseconds(100)
    private let clock = SuspendingClock()
    private let progress: (UInt64) -> Bool
    private var reported: UInt64 = 0
    private var asked: SuspendingClock.Instant

    /// - Throws: `ObjectError.cancelled` when it says so at once.
    init(_ progress: @escaping (UInt64) -> Bool) throws(ObjectError) {
        self.progress = progress
        asked = clock.now
        try ask(0)
    }

    /// Asks when enough was done, or enough time has passed, since the last time: a slow pipe can be cancelled too.
    ///
    /// - Parameter done: bytes of content so far; nil for as many as before.
    func pass(_ done: UInt64? = nil) throws(ObjectError) {
        let done = done ?? reported
        if done >= reported + Self.stepByteCount || asked.duration(to: clock.now) >= Self.stepDuration { try ask(done) }
    }

    /// Asks in any case.
    func ask(_ done: UInt64) throws(ObjectError) {
        reported = done
        asked = clock.now
        guard progress(done) else { throw ObjectError(.cancelled) }
    }
}
