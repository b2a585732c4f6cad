// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The helper thread's part of a pipeline: seals what comes through the relay and writes it to the object's file, from its begin.
final class OuterSealing: @unchecked Sendable {
    private let layer: SealLayer
    private let target: Int32
    private let relay: Relay
    /// Both are read by the other thread only after the relay was told that all is done.
    private(set) var commitment: [UInt8] = []
    private(set) var fileByteCount = 0

    init(_ layer: SealLayer, _ target: Int32, _ relay: Relay) {
        self.layer = layer
        self.target = target
        self.relay = relay
    }

    func run() {
        do throws(ObjectError) {
            let sealer = try unsafe StreamSealer(layer) { [unowned self] bytes throws(ObjectError) in try unsafe write(bytes) }
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
        try unsafe FileBytes.write(target, bytes, at: fileByteCount)
        fileByteCount += bytes.count
    }
}
