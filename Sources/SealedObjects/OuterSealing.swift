// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The helper thread's part of a pipeline: seals what comes through the relay and writes it to a file, from its begin,
/// or to a pipe.
@safe final class OuterSealing: @unchecked Sendable {
    private let layer: SealLayer
    private let target: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    private let relay: Relay
    private let prefix: [UInt8]
    /// Both are read by the other thread only after the relay was told that all is done.
    private(set) var commitment: [UInt8] = []
    /// Without the prefix.
    private(set) var sealedByteCount = 0

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
