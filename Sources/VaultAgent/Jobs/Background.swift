// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Foundation
internal import Glibc
internal import Synchronization

/// `Background` is work on a thread of its own, for what would keep other requests waiting: Argon2, attachments. The
/// loop hears when it is done.
final class Background<Result: Sendable>: Sendable {
    private struct State {
        var result: Result?
        var done: UInt64 = 0
        var isCancelled = false
        var isOver = false
    }
    private let state = Mutex(State())

    /// Starts a thread that runs `body`, wipes its stack, and wakes the loop.
    ///
    /// - Parameter body: gets a question to ask now and then: whether to go on, given how far it is.
    init(_ body: @escaping @Sendable (_ goesOn: @escaping @Sendable (UInt64) -> Bool) -> Result) {
        let thread = Thread { [self] in
            let result = body { done in self.report(done) }
            state.withLock { state in
                state.result = result
                state.isOver = true
            }
            // The stack is kept for the next thread as it is.
            vs_wipe_stack()
            BackgroundWake.ring()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Returns nil while it works.
    func takeResult() -> Result? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }

    var done: UInt64 { state.withLock(\.done) }

    /// Tells the work to end at its next question.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Does the same, and waits for that end: what it reads or makes must not be touched before. Its questions come
    /// within a fraction of a second.
    func cancelAndWait() {
        cancel()
        while state.withLock({ !$0.isOver }) { usleep(1000) }
    }

    private func report(_ done: UInt64) -> Bool {
        let goesOn = state.withLock { state in
            state.done = done
            return !state.isCancelled
        }
        BackgroundWake.ring()
        return goesOn
    }
}

/// `BackgroundWake` wakes the loop from another thread.
enum BackgroundWake {
    static let descriptor: Int32 = vs_event_descriptor()

    static func ring() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    static func quiet() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
    }
}
