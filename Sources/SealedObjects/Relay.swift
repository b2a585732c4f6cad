// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation

/// `Relay` hands bytes from one thread to another through a few buffers, so that both can work at once and neither gets
/// far ahead.
///
/// Either side may fail; the first failure is what both of them hear at their next call.
final class Relay: @unchecked Sendable {
    private static let bufferCount = 4
    private let condition = NSCondition()
    private var empty = (0..<bufferCount).map { _ in WorkBuffer(BatchRun.byteCount) }
    private var full: [(buffer: WorkBuffer, byteCount: Int)] = []
    private var hasEnded = false
    private var isDone = false
    private var failure: ObjectError?

    // MARK: The giving side, which is the caller's thread

    /// Copies bytes for the other side, and waits for room.
    func give(_ bytes: UnsafeRawBufferPointer, _ gate: ProgressGate) throws(ObjectError) {
        var given = 0
        while given < bytes.count {
            let buffer = try waitAsking(gate) { empty.popLast() }
            let count = min(buffer.byteCount, bytes.count - given)
            unsafe buffer[0..<count].copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[given..<given + count]))
            given += count
            signal { full.append((buffer, count)) }
        }
    }

    /// Says that nothing more comes, and waits until the other side is done with all of it.
    func end(_ gate: ProgressGate) throws(ObjectError) {
        signal { hasEnded = true }
        try waitAsking(gate) { isDone ? () : nil }
    }

    // MARK: The taking side

    /// Does everything that is given, in order, until its end.
    func takeAll(_ body: (UnsafeRawBufferPointer) throws(ObjectError) -> Void) throws(ObjectError) {
        while let (buffer, count) = try take() {
            try unsafe body(buffer.reading(0..<count))
            signal { empty.append(buffer) }
        }
    }

    /// Marks the taking side's work as done.
    func finish() { signal { isDone = true } }

    // MARK: Both

    func fail(_ error: ObjectError) { signal { if failure == nil { failure = error } } }

    fileprivate var hasFailed: Bool {
        condition.lock()
        defer { condition.unlock() }
        return failure != nil
    }

    /// Throws the error with which a thread has ended the work, if one has.
    ///
    /// - Throws: what `fail` was told.
    func check() throws(ObjectError) {
        condition.lock()
        defer { condition.unlock() }
        if let failure { throw failure }
    }

    private func signal(_ change: () -> Void) {
        condition.lock()
        change()
        condition.broadcast()
        condition.unlock()
    }

    private func take() throws(ObjectError) -> (buffer: WorkBuffer, byteCount: Int)? {
        condition.lock()
        defer { condition.unlock() }
        while failure == nil, full.isEmpty, !hasEnded { condition.wait() }
        if let failure { throw failure }
        return full.isEmpty ? nil : full.removeFirst()
    }

    private func waitAsking<Value>(_ gate: ProgressGate, _ value: () -> Value?) throws(ObjectError) -> Value {
        while true {
            condition.lock()
            if failure == nil, let value = value() {
                condition.unlock()
                return value
            }
            if failure == nil { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1)) }
            let failed = failure
            condition.unlock()
            if let failed { throw failed }
            try gate.pass()
        }
    }
}

/// `SequentialTarget` is a file that is written from its begin, or a pipe: it takes bytes in their order.
final class SequentialTarget {
    private let file: PassedFile
    private let pipe: PipeBytes
    private var offset = 0

    /// Takes a descriptor, and checks that it can be written to in order.
    ///
    /// - Parameter relay: when that has failed, a pipe is not waited for any longer.
    /// - Throws: `ObjectError.notAFileOrPipe`, `.io`.
    init(_ descriptor: Int32, patience: Duration = .seconds(60), while relay: Relay) throws(ObjectError) {
        file = try PassedFile(target: descriptor)
        let gate = try ProgressGate { _ in !relay.hasFailed }
        pipe = PipeBytes(descriptor: descriptor, patience: patience, gate: gate)
    }

    /// Writes the next bytes.
    ///
    /// - Throws: `ObjectError.noRoom`, `.closed`, `.stalled`, `.cancelled`, `.io`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        if file.isPipe {
            try unsafe pipe.write(bytes)
        } else {
            try unsafe FileBytes.write(file.descriptor, bytes, at: offset)
        }
        offset += bytes.count
    }
}
