// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Foundation
internal import Synchronization

/// Batches of one object on two threads, each taking the next one that nobody has. The caller's thread is one of them, and the only one that asks
/// whether to go on.
enum Batches {
    private struct State {
        var next = 0
        var done: UInt64 = 0
        var failure: ObjectError?
    }

    /// - Parameter makeWorker: called once on each thread; what it returns does one batch and says how many bytes that were.
    static func run(
        _ count: Int, _ progress: @Sendable (UInt64) -> Bool,
        _ makeWorker: @escaping @Sendable () throws(ObjectError) -> ((Int) throws(ObjectError) -> UInt64)
    ) throws(ObjectError) {
        let shared = Shared()
        let finished = DispatchSemaphore(value: 0)
        let isParallel = count > 1
        if isParallel {
            let second = Thread {
                shared.work(count, makeWorker) { _ in true }
                vs_wipe_stack()
                finished.signal()
            }
            second.stackSize = 1 << 20
            second.start()
        }
        shared.work(count, makeWorker, progress)
        if isParallel { finished.wait() }
        if let failure = shared.failure { throw failure }
        guard progress(shared.done) else { throw ObjectError(.cancelled) }
    }

    private final class Shared: Sendable {
        private let state = Mutex(State())
        var failure: ObjectError? { state.withLock(\.failure) }
        var done: UInt64 { state.withLock(\.done) }

        func work(
            _ count: Int, _ makeWorker: () throws(ObjectError) -> ((Int) throws(ObjectError) -> UInt64), _ goesOn: (UInt64) -> Bool
        ) {
            do throws(ObjectError) {
                let worker = try makeWorker()
                while let batch = take(count) {
                    let bytes = try worker(batch)
                    let done = state.withLock { state in
                        state.done += bytes
                        return state.done
                    }
                    guard goesOn(done) else { throw ObjectError(.cancelled) }
                }
            } catch {
                // The first failure counts; it ends the other thread too.
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }

        private func take(_ count: Int) -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < count else { return nil }
                state.next += 1
                return state.next - 1
            }
        }
    }
}
