// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import BookServices
internal import CSystemShims
internal import Glibc
internal import ParserProtocol
internal import Sandbox
internal import SecretMemory

/// `FetchProgram` does what `vault-fetch` is for: it reads one order, confines the process, asks, writes what came of
/// it, and ends.
///
/// The order is read before the confinement, for that depends on it: it is the caller's. No byte of a server is read
/// before it.
public enum FetchProgram {
    /// Runs to the end and returns the exit code: 0 once an answer was written, 11 where the process cannot be
    /// confined, 13 for an order that is none or an answer that nobody takes.
    public static func run() -> Int32 {
        guard let order = readOrder(), let key = readKey(for: order) else { return 13 }
        let keyField = Fetching.field(key)
        guard Fetching.prepare(), Sandbox.enterForFetching(ports: Fetching.ports(of: order)) else { return 11 }
        let (answer, body) = Fetching.run(order, keyField: keyField)
        return write(RecordFrame.enclosing(answer.encoded)) && write(body) ? 0 : 13
    }

    private static func readOrder() -> FetchOrder? {
        guard let count = readCount(max: FetchOrder.byteCountMax), let bytes = read(count) else { return nil }
        return try? FetchOrder(parsing: bytes)
    }

    /// Reads the key into locked memory; an empty one for an order that takes none.
    private static func readKey(for order: FetchOrder) -> SecretBytes? {
        guard let count = readCount(max: FetchOrder.keyByteCountMax) else { return nil }
        var key = SecretBytes(zeroes: count)
        let isRead = unsafe key.withUnsafeMutableBytes { unsafe fill($0) }
        let isKey = unsafe key.withUnsafeBytes { unsafe FetchOrder.isKey($0) }
        guard isRead, order.takesKey ? isKey : count == 0 else { return nil }
        return key
    }

    private static func readCount(max: Int) -> Int? {
        read(RecordFrame.headerByteCount).flatMap { try? RecordFrame.contentByteCount(header: $0, max: max) }
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe bytes.withUnsafeMutableBytes({ unsafe fill($0) }) ? bytes : nil
    }

    private static func fill(_ raw: UnsafeMutableRawBufferPointer) -> Bool {
        var taken = 0
        while taken < raw.count {
            let got = unsafe Glibc.read(STDIN_FILENO, raw.baseAddress! + taken, raw.count - taken)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return false }
            taken += got
        }
        return true
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
