// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LogChecksum` is SQLite's running checksum of a write-ahead log: it is not a defence, but it decides which frames
/// SQLite takes, so recovery follows it.
///
/// Spec: sqlite.org/fileformat2.html §4.2.
struct LogChecksum: Equatable {
    private var first: UInt32
    private var second: UInt32
    private let isBigEndian: Bool

    /// Starts from a 32-byte log header; nil when the header's own checksum does not fit.
    init?(header: [UInt8]) {
        guard header.count == LogSealer.headerByteCount else { return nil }
        isBigEndian = Self.bigEndian(header, 0) & 1 == 1
        first = 0
        second = 0
        add(header, 0..<24)
        guard first == Self.bigEndian(header, 24), second == Self.bigEndian(header, 28) else { return nil }
    }

    /// Returns whether a frame (24 header bytes, 4,056 page bytes; the reserve counts as zeros) continues this log;
    /// then it is taken in.
    mutating func accepts(_ frame: [UInt8], saltsOf header: [UInt8]) -> Bool {
        guard frame[8..<16].elementsEqual(header[16..<24]) else { return false }
        var next = self
        next.add(frame, 0..<8)
        next.add(frame, 24..<24 + PageFile.usableByteCount)
        for _ in 0..<5 { next.step(0, 0) }  // 40 reserved bytes
        guard next.first == Self.bigEndian(frame, 16), next.second == Self.bigEndian(frame, 20) else { return false }
        self = next
        return true
    }

    private mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
        for at in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            let one = Self.bigEndian(bytes, at)
            let other = Self.bigEndian(bytes, at + 4)
            step(isBigEndian ? one : one.byteSwapped, isBigEndian ? other : other.byteSwapped)
        }
    }

    private mutating func step(_ one: UInt32, _ other: UInt32) {
        first = first &+ one &+ second
        second = second &+ other &+ first
    }

    private static func bigEndian(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
    }
}
