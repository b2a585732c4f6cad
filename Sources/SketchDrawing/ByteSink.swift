// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo

/// Where cairo writes a file to: memory.
final class ByteSink {
    /// Largest file, in bytes.
    static let byteCountMax = 256 << 20

    private(set) var bytes: [UInt8] = []
    private(set) var isFull = false

    /// What cairo is given as the closure. The sink must outlive the surface that writes to it.
    var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static let write: cairo_write_func_t = { pointer, data, count in
        guard let pointer = unsafe pointer, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = unsafe Unmanaged<ByteSink>.fromOpaque(pointer).takeUnretainedValue()
        guard sink.bytes.count + Int(count) <= byteCountMax else {
            sink.isFull = true
            return CAIRO_STATUS_WRITE_ERROR
        }
        unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
    }
}
