// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ByteOutput` gathers what is written into larger pieces for a sink.
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

/// A `ByteSink` takes bytes in pieces. A span cannot outlive the call, so no writer keeps what it was lent.
public typealias ByteSink = (Span<UInt8>) throws -> Void

/// An `AttachmentContent` gives all bytes of an attachment to a sink, in order and in pieces of any size.
public typealias AttachmentContent = (_ id: String, _ sink: ByteSink) throws -> Void

/// `ContentCounter` holds content to the size that was announced for it.
struct ContentCounter {
    private var remaining: UInt64

    init(byteCount: UInt64) { remaining = byteCount }

    /// Counts bytes of the content.
    ///
    /// - Throws: `ExportError.sizeChanged` if there is more than was announced.
    mutating func take(_ byteCount: Int) throws(ExportError) {
        guard UInt64(byteCount) <= remaining else { throw ExportError(.sizeChanged) }
        remaining -= UInt64(byteCount)
    }

    /// Checks that all of the content came.
    ///
    /// - Throws: `ExportError.sizeChanged` if there was less than was announced.
    func end() throws(ExportError) {
        guard remaining == 0 else { throw ExportError(.sizeChanged) }
    }
}

/// `Base64Text` writes base64 of RFC 4648 §4, with padding, while the bytes come in pieces.
struct Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Up to two bytes that wait for a third.
    private var held: [UInt8] = []

    mutating func add(_ piece: Span<UInt8>, to output: ByteOutput) throws {
        var text: [UInt8] = []
        text.reserveCapacity(min(piece.count, 48 << 10) / 3 * 4 + 8)
        for at in piece.indices {
            held.append(piece[at])
            guard held.count == 3 else { continue }
            Self.encode(held[0], held[1], held[2], &text)
            held.removeAll(keepingCapacity: true)
            guard text.count >= 64 << 10 else { continue }
            try output.write(text)
            text.removeAll(keepingCapacity: true)
        }
        try output.write(text)
    }

    /// Writes what is left.
    mutating func end(to output: ByteOutput) throws {
        guard let first = held.first else { return }
        var text: [UInt8] = []
        Self.encode(first, held.count == 2 ? held[1] : 0, 0, &text)
        for at in (held.count + 1)..<4 { text[at] = UInt8(ascii: "=") }
        try output.write(text)
        held = []
    }

    private static func encode(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ text: inout [UInt8]) {
        text.append(digits[Int(first >> 2)])
        text.append(digits[Int((first & 3) << 4 | second >> 4)])
        text.append(digits[Int((second & 15) << 2 | third >> 6)])
        text.append(digits[Int(third & 63)])
    }
}

extension [UInt8] {
    /// Adds a copy of what a span shows.
    mutating func append(_ span: Span<UInt8>) {
        // An array takes a buffer in one copy and a span only byte by byte.
        unsafe span.withUnsafeBufferPointer { bytes in unsafe append(contentsOf: bytes) }
    }
}
