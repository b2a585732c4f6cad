// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `WebChannel` is one end of the socket pair (SOCK_SEQPACKET) between `vault` and `vault-web`: whole packets, at most
/// one descriptor with each.
public struct WebChannel: Sendable {
    public let descriptor: Int32

    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends a packet; false when the other side is gone.
    public func send(_ bytes: [UInt8], with passed: Int32? = nil) -> Bool {
        unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return false }
            while true {
                let sent =
                    if let passed { unsafe vs_send_with_descriptor(descriptor, base, raw.count, passed) } else {
                        unsafe Glibc.send(descriptor, base, raw.count, Int32(MSG_NOSIGNAL))
                    }
                if sent < 0 && errno == EINTR { continue }
                return sent == raw.count
            }
        }
    }

    /// Waits for a packet; nil at the end, for one that is longer than `max`, and for one with several descriptors.
    public func receive(max: Int) -> (bytes: [UInt8], passed: Int32?)? {
        var buffer = [UInt8](repeating: 0, count: max + 1)
        var descriptors: [Int32] = [-1, -1]
        var count: Int32 = 0
        let got = unsafe buffer.withUnsafeMutableBytes { raw in
            while true {
                let got = unsafe vs_receive_with_descriptors(
                    descriptor, raw.baseAddress!, raw.count, &descriptors, &count)
                if got < 0 && errno == EINTR { continue }
                return got
            }
        }
        guard got > 0, got <= max, count <= 1 else {
            for passed in descriptors.prefix(Int(count)) { close(passed) }
            return nil
        }
        return (Array(buffer.prefix(got)), count == 1 ? descriptors[0] : nil)
    }
}
