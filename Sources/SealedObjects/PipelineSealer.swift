// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Seals content of unknown length, or in two layers: the caller's thread reads and seals the inner layer, a helper
/// seals the outer one and writes.
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
