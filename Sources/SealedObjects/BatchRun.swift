// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc
internal import VaultCrypto

/// A `BatchWorker` does the batches that it is given, each on its own.
protocol BatchWorker: AnyObject {
    /// Does one batch, and returns how many bytes of content it had.
    func perform(_ batch: Int) throws(ObjectError) -> Int
}

/// `BatchRun` does numbered batches by two threads that take the next one in turn: the caller's, and a helper. Only the
/// caller's asks whether to go on.
final class BatchRun: @unchecked Sendable {
    /// Chunks in one batch: large enough that calls to the system do not count, small enough for a processor's cache.
    static let chunkCount = 16
    /// Content of a batch, in bytes.
    static let byteCount = chunkCount * Cobblestone.chunkByteCount
    /// The same when sealed, without a prefix.
    static let sealedByteCount = chunkCount * (Cobblestone.chunkByteCount + Cobblestone.tagByteCount)

    private struct State {
        var next = 0
        var done: UInt64 = 0
        var failure: ObjectError?
    }
    /// Only under the lock.
    private var state = State()
    private let lock = NSLock()
    private let batchCount: Int

    private init(_ batchCount: Int) { self.batchCount = batchCount }

    /// Does all batches, or throws the first failure when all threads have stopped.
    ///
    /// - Parameter worker: makes the worker of one thread.
    static func perform(
        _ batchCount: Int, threadCount: Int, _ gate: ProgressGate, worker: () throws(ObjectError) -> any BatchWorker
    ) throws(ObjectError) {
        let run = BatchRun(batchCount)
        let own = try worker()
        var helper: HelperThread?
        if threadCount > 1, batchCount > 1 {
            let other = Handed(worker: try worker())
            // Without a second thread the first one does it all.
            helper = try? HelperThread { run.work(other.worker, nil) }
        }
        run.work(own, gate)
        helper?.join()
        if let failure = run.locked({ $0.failure }) { throw failure }
        try gate.ask(run.locked { $0.done })
    }

    private func work(_ worker: any BatchWorker, _ gate: ProgressGate?) {
        do throws(ObjectError) {
            while let batch = takeNext() {
                let count = try worker.perform(batch)
                let done = locked { state in
                    state.done += UInt64(count)
                    return state.done
                }
                try gate?.pass(done)
            }
        } catch {
            locked { state in if state.failure == nil { state.failure = error } }
        }
    }

    private func takeNext() -> Int? {
        locked { state in
            guard state.failure == nil, state.next < batchCount else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func locked<Value>(_ body: (inout State) -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    /// `Handed` is a worker on its way to the only thread that uses it from then on.
    private struct Handed: @unchecked Sendable { let worker: any BatchWorker }
}

/// `HelperThread` is a second thread for one piece of work, to be joined before the work's data ends.
@safe final class HelperThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    private var thread: pthread_t = 0

    /// Starts a thread that runs the closure.
    ///
    /// - Throws: `ObjectError.io` when the system gives no thread.
    init(_ run: @escaping @Sendable () -> Void) throws(ObjectError) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
            if let raw = unsafe raw { unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run() }
            return nil
        }
        let failure = unsafe pthread_create(&thread, nil, start, body.toOpaque())
        guard failure == 0 else {
            unsafe body.release()
            throw ObjectError(.io, systemError: failure)
        }
    }

    func join() { _ = pthread_join(thread, nil) }
}

/// `ProgressGate` asks the caller's closure whether to go on, but not for every chunk. On the caller's thread only.
final class ProgressGate {
    private static let stepByteCount: UInt64 = 1 << 20
    private static let stepDuration = Duration.milliseconds(100)
    private let clock = SuspendingClock()
    private let progress: (UInt64) -> Bool
    private var reported: UInt64 = 0
    private var asked: SuspendingClock.Instant

    /// Makes a gate, and asks the closure for the first time.
    ///
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
