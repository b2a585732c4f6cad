// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import BookServices
internal import CSystemShims
internal import Glibc
internal import ParserProtocol
internal import Sandbox

/// `FetchProgram` does what `vault-fetch` is for: it reads one order, confines the process, asks, writes what came of
/// it, and ends.
///
/// The order is read before the confinement, for that depends on it: it is the caller's. No byte of a server is read
/// before it.
public enum FetchProgram {
    /// Runs to the end and returns the exit code: 0 once an answer was written, 11 where the process cannot be
    /// confined, 13 for an order that is none or an answer that nobody takes.
    public static func run() -> Int32 {
        guard let (order, key) = readOrder() else { return 13 }
        guard Fetching.prepare(), Sandbox.enterForFetching(ports: Fetching.ports(of: order)) else { return 11 }
        var secret = key
        let (answer, body) = Fetching.run(order, key: secret)
        unsafe secret.withUnsafeMutableBytes { unsafe vs_wipe($0.baseAddress, $0.count) }
        return write(RecordFrame.enclosing(answer.encoded)) && write(body) ? 0 : 13
    }

    private static func readOrder() -> (FetchOrder, key: [UInt8])? {
        guard let bytes = readFrame(max: FetchOrder.byteCountMax), let order = try? FetchOrder(parsing: bytes),
            let key = readFrame(max: FetchOrder.keyByteCountMax),
            order.takesKey ? FetchOrder.isKey(key) : key.isEmpty
        else { return nil }
        return (order, key)
    }

    private static func readFrame(max: Int) -> [UInt8]? {
        guard let header = read(RecordFrame.headerByteCount),
            let count = try? RecordFrame.contentByteCount(header: header, max: max)
        else { return nil }
        return read(count)
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var taken = 0
        while taken < count {
            let got = unsafe bytes.withUnsafeMutableBytes { raw in
                unsafe Glibc.read(STDIN_FILENO, raw.baseAddress! + taken, count - taken)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            taken += got
        }
        return bytes
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
