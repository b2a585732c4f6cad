// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A file that is written from its begin, or a pipe: bytes in their order.
final class SequentialTarget {
    private let file: PassedFile
    private let pipe: PipeBytes
    private var offset = 0

    /// - Parameter relay: when that has failed, a pipe is not waited for any longer.
    /// - Throws: `ObjectError.notAFileOrPipe`, `.io`.
    init(_ descriptor: Int32, patience: Duration = .seconds(60), while relay: Relay) throws(ObjectError) {
        file = try PassedFile(target: descriptor)
        let gate = try ProgressGate { _ in !relay.hasFailed }
        pipe = PipeBytes(descriptor: descriptor, patience: patience, gate: gate)
    }

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
