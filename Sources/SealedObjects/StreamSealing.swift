// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `StreamSealing` seals content that its maker hands over piece by piece: the caller's thread makes it, a helper seals
/// and writes. Constant memory.
///
/// One layer, padded (docs/format.md §4.3). The target's content is not valid before `finish` has returned; nothing is
/// synced here.
public final class StreamSealing {
    private let relay: Relay
    private let sealing: OuterSealing
    private let gate: ProgressGate
    private var helper: HelperThread?
    private var byteCount: UInt64 = 0
    private let pending = WorkBuffer(BatchRun.byteCount)
    private var filled = 0

    /// Starts a helper thread that seals the content to a descriptor.
    ///
    /// - Parameters:
    ///   - target: a new, empty regular file, written from its begin; or a pipe. The process must ignore SIGPIPE.
    ///   - prefix: bytes to write before the sealed ones, unchanged.
    ///   - patience: how long a pipe may take nothing.
    ///   - progress: as of `ObjectWriter.seal`.
    /// - Throws: `ObjectError.notAFileOrPipe`, `.cancelled`, `.io`, `.libraryFailure`.
    public convenience init(
        _ layer: SealLayer, to target: Int32, prefix: [UInt8] = [], patience: Duration = .seconds(60),
        progress: @escaping (UInt64) -> Bool
    ) throws(ObjectError) {
        let relay = Relay()
        let file = try SequentialTarget(target, patience: patience, while: relay)
        try unsafe self.init(layer, relay, prefix, progress) { bytes throws(ObjectError) in try unsafe file.write(bytes)
        }
    }

    /// Seals the same to a target that takes the bytes in their order, on the helper's thread.
    public convenience init(
        _ layer: SealLayer, prefix: [UInt8] = [], progress: @escaping (UInt64) -> Bool,
        sink: @escaping (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    ) throws(ObjectError) {
        try unsafe self.init(layer, Relay(), prefix, progress, sink)
    }

    private init(
        _ layer: SealLayer, _ relay: Relay, _ prefix: [UInt8], _ progress: @escaping (UInt64) -> Bool,
        _ sink: @escaping (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    ) throws(ObjectError) {
        self.relay = relay
        gate = try ProgressGate(progress)
        sealing = unsafe OuterSealing(layer, relay, prefix: prefix, to: sink)
        helper = try HelperThread { [sealing] in sealing.run() }
    }

    deinit {
        guard let helper else { return }
        relay.fail(ObjectError(.cancelled))
        helper.join()
    }

    /// Takes more content.
    ///
    /// - Throws: the helper's error; the stream cannot be used after that.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        byteCount += UInt64(bytes.count)
        // Small pieces are gathered: each that is handed over costs the other thread a wake.
        if filled + bytes.count > pending.byteCount { try flush() }
        if bytes.count >= pending.byteCount {
            try unsafe relay.give(bytes, gate)
        } else {
            unsafe pending[filled..<filled + bytes.count].copyMemory(from: bytes)
            filled += bytes.count
        }
        try gate.pass(byteCount)
    }

    private func flush() throws(ObjectError) {
        guard filled > 0 else { return }
        try unsafe relay.give(pending.reading(0..<filled), gate)
        filled = 0
    }

    public func append(_ bytes: [UInt8]) throws(ObjectError) {
        try unsafe bytes.withUnsafeBufferPointer { raw throws(ObjectError) in
            try unsafe append(UnsafeRawBufferPointer(raw))
        }
    }

    /// Pads, seals the last chunk and waits until all is written.
    public func finish() throws(ObjectError) -> SealedObject {
        try flush()
        try relay.end(gate)
        helper?.join()
        helper = nil
        return SealedObject(
            contentByteCount: byteCount, fileByteCount: UInt64(sealing.sealedByteCount), commitment: sealing.commitment,
            innerCommitment: nil)
    }
}
