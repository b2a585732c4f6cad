// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ByteQueue` holds bytes that are added at one end and taken at the other, without moving all of them each time.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var head = 0

    var count: Int { bytes.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: some Collection<UInt8>) {
        // Moving the rest to the front is worth it only when it is the smaller half.
        if head > bytes.count / 2 {
            bytes.removeFirst(head)
            head = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Returns the first `count` bytes; nil when there are fewer.
    func first(_ count: Int, after offset: Int = 0) -> [UInt8]? {
        guard count >= 0, offset >= 0, self.count - offset >= count else { return nil }
        return Array(bytes[head + offset..<head + offset + count])
    }

    mutating func drop(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "no more can be taken than is there")
        head += count
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    /// Lends what is there to a call such as write(2).
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe bytes.withUnsafeBytes { raw in unsafe body(UnsafeRawBufferPointer(rebasing: raw[head...])) }
    }
}
