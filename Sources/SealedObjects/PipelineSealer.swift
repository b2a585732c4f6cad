// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `PipelineSealer` seals content of unknown length, or in two layers: the caller's thread reads and seals the inner
/// layer, a helper seals the outer one and writes.
enum PipelineSealer {
    static func seal(
        _ source: ContentSource, _ target: PassedFile, _ layers: [SealLayer], _ gate: ProgressGate
    ) throws(ObjectError) -> SealedObject {
        let relay = Relay()
        let file = try SequentialTarget(target.descriptor, while: relay)
        let outer = unsafe OuterSealing(layers[0], relay) { bytes throws(ObjectError) in try unsafe file.write(bytes) }
        let helper = try HelperThread { outer.run() }
        defer { helper.join() }
        do throws(ObjectError) {
            let (byteCount, innerCommitment) = try feed(source, layers.count > 1 ? layers[1] : nil, relay, gate)
            try relay.end(gate)
            try gate.ask(byteCount)
            return SealedObject(
                contentByteCount: byteCount, fileByteCount: UInt64(outer.sealedByteCount), commitment: outer.commitment,
                innerCommitment: innerCommitment)
        } catch {
            relay.fail(error)
            throw error
        }
    }

    /// Reads all of the source into the relay, through the inner layer if there is one.
    private static func feed(
        _ source: ContentSource, _ layer: SealLayer?, _ relay: Relay, _ gate: ProgressGate
    ) throws(ObjectError) -> (byteCount: UInt64, innerCommitment: [UInt8]?) {
        var inner: StreamSealer?
        if let layer {
            inner = try unsafe StreamSealer(layer) { bytes throws(ObjectError) in try unsafe relay.give(bytes, gate) }
        }
        let buffer = WorkBuffer(BatchRun.byteCount)
        var byteCount = 0
        while true {
            let count = try unsafe source.read(buffer[0..<buffer.byteCount], at: byteCount)
            if count == 0 { break }
            byteCount += count
            if let inner {
                try unsafe inner.append(buffer.reading(0..<count))
            } else {
                try unsafe relay.give(buffer.reading(0..<count), gate)
            }
            try gate.pass(UInt64(byteCount))
        }
        _ = try inner?.finish()
        return (UInt64(byteCount), inner?.commitment)
    }
}

/// `StreamSealer` seals one layer of content whose length is not known before its end.
@safe final class StreamSealer {
    private let chunks: CobblestoneChunks
    private let sink: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    private let plain = WorkBuffer(BatchRun.byteCount)
    private let sealed = WorkBuffer(BatchRun.sealedByteCount)
    private var filled = 0
    private var nextChunk = 0
    private var content = 0

    /// Begins a layer, and gives its prefix to the sink.
    ///
    /// - Parameter sink: takes the sealed bytes, in their order; it throws to end the work.
    init(_ layer: SealLayer, sink: @escaping (UnsafeRawBufferPointer) throws(ObjectError) -> Void) throws(ObjectError) {
        chunks = try .sealing(layer)
        unsafe self.sink = sink
        try unsafe chunks.prefix.withUnsafeBufferPointer { prefix throws(ObjectError) in
            try unsafe sink(UnsafeRawBufferPointer(prefix))
        }
    }

    var commitment: [UInt8] { chunks.commitment }

    /// Takes more content.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        var taken = 0
        while taken < bytes.count {
            let count = min(bytes.count - taken, plain.byteCount - filled)
            unsafe plain[filled..<filled + count].copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count]))
            taken += count
            filled += count
            if filled == plain.byteCount { try flush(isEnd: false) }
        }
        content += bytes.count
    }

    /// Pads, and seals the last chunk.
    func finish() throws(ObjectError) -> LayerSize {
        guard let size = LayerSize(content: content) else { throw ObjectError(.tooLarge) }
        var at = content
        while at < size.padded {
            let count = min(size.padded - at, plain.byteCount - filled)
            unsafe size.pad(plain[filled..<filled + count], at: at)
            at += count
            filled += count
            if filled == plain.byteCount { try flush(isEnd: false) }
        }
        try flush(isEnd: true)
        return size
    }

    private func flush(isEnd: Bool) throws(ObjectError) {
        let count = try unsafe chunks.sealRun(
            from: nextChunk, plain.reading(0..<filled), isEnd: isEnd, into: sealed[0..<sealed.byteCount])
        nextChunk += filled / Cobblestone.chunkByteCount
        filled = 0
        try unsafe sink(sealed.reading(0..<count))
    }
}

/// `OuterSealing` is the helper thread's part of a pipeline: it seals what comes through the relay and writes it to a
/// file, from its begin, or to a pipe.
@safe final class OuterSealing: @unchecked Sendable {
    private let layer: SealLayer
    private let target: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    private let relay: Relay
    private let prefix: [UInt8]
    /// The layer's commitment. It and the size are read by the other thread only after the relay was told that all is
    /// done.
    private(set) var commitment: [UInt8] = []
    /// Size of the sealed bytes, without the prefix.
    private(set) var sealedByteCount = 0

    /// Prepares the helper's part; `run` does it.
    ///
    /// - Parameters:
    ///   - target: takes the bytes in their order, on the helper's thread.
    ///   - prefix: what stands before the sealed bytes, as it is.
    init(
        _ layer: SealLayer, _ relay: Relay, prefix: [UInt8] = [],
        to target: @escaping (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    ) {
        self.layer = layer
        unsafe self.target = target
        self.relay = relay
        self.prefix = prefix
    }

    func run() {
        do throws(ObjectError) {
            try unsafe prefix.withUnsafeBufferPointer { raw throws(ObjectError) in
                try unsafe target(UnsafeRawBufferPointer(raw))
            }
            let sealer = try unsafe StreamSealer(layer) { [unowned self] bytes throws(ObjectError) in
                try unsafe write(bytes)
            }
            try unsafe relay.takeAll { bytes throws(ObjectError) in try unsafe sealer.append(bytes) }
            _ = try sealer.finish()
            commitment = sealer.commitment
            relay.finish()
        } catch {
            relay.fail(error)
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        // Padding goes on after the last bytes have come: the other side may have cancelled meanwhile.
        try relay.check()
        try unsafe target(bytes)
        sealedByteCount += bytes.count
    }
}
