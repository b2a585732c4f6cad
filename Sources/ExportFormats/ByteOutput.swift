// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Gathers what is written into larger pieces for a sink.
final class ByteOutput {
    /// Pieces are about this large, in bytes.
    private static let pieceByteCount = 64 << 10

    private let sink: ByteSink
    private var buffer: [UInt8] = []
    /// Bytes written so far.
    private(set) var byteCount: UInt64 = 0

    init(_ sink: @escaping ByteSink) {
        self.sink = sink
        buffer.reserveCapacity(2 * Self.pieceByteCount)
    }

    func write(_ bytes: [UInt8]) throws { try write(bytes.span) }

    func write(_ text: String) throws {
        byteCount += UInt64(text.utf8.count)
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.pieceByteCount { try flush() }
    }

    func write(_ bytes: Span<UInt8>) throws {
        byteCount += UInt64(bytes.count)
        if bytes.count >= Self.pieceByteCount {
            try flush()
            try sink(bytes)
            return
        }
        buffer.append(bytes)
        if buffer.count >= Self.pieceByteCount { try flush() }
    }

    /// Hands on what is still held.
    func flush() throws {
        guard !buffer.isEmpty else { return }
        var full: [UInt8] = []
        swap(&full, &buffer)
        try sink(full.span)
        full.removeAll(keepingCapacity: true)
        swap(&full, &buffer)
    }
}
