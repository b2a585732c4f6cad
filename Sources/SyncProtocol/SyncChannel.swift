// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
public import SecretMemory

/// `SyncChannel` is one end of the socket pair between the agent and `vault-sync`: whole packets (SOCK_SEQPACKET), at
/// most one descriptor with each, never waiting.
public final class SyncChannel {
    /// `Failure` says what became of the other end.
    public enum Failure: Error, Sendable, Equatable {
        /// It ended, or closed its end.
        case closed
        /// It sent what no program of ours sends.
        case malformed
        /// It accepts no more packets.
        case full
    }

    /// The longest packet, in bytes: a start with certificates.
    public static let packetByteCountMax = 72 << 10

    public let descriptor: Int32

    /// Takes over a connected socket and closes it when the value ends.
    public init(taking descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Returns both ends of a new pair; nil when the system has no more.
    public static func pair() -> (SyncChannel, Int32)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (SyncChannel(taking: ends[0]), ends[1])
    }

    public func send(_ packet: [UInt8], passing passed: Int32? = nil) throws(Failure) {
        precondition(packet.count <= Self.packetByteCountMax, "a packet is at most 72 KiB")
        let sent = unsafe packet.withUnsafeBytes { raw in
            if let passed { return unsafe vs_send_with_descriptor(descriptor, raw.baseAddress!, raw.count, passed) }
            return unsafe Glibc.send(descriptor, raw.baseAddress!, raw.count, Int32(MSG_NOSIGNAL))
        }
        try Self.check(sent, packet.count)
    }

    /// Sends secret bytes in place; no copy is made in this process.
    public func send(secret: borrowing SecretBytes) throws(Failure) {
        let sent = unsafe secret.withUnsafeBytes { raw in
            unsafe Glibc.send(descriptor, raw.baseAddress!, raw.count, Int32(MSG_NOSIGNAL))
        }
        try Self.check(sent, secret.byteCount)
    }

    private static func check(_ sent: Int, _ count: Int) throws(Failure) {
        if sent == count { return }
        throw sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .full : .closed
    }

    /// `Incoming` holds a packet and the descriptor that came with it.
    public struct Incoming {
        public let bytes: [UInt8]
        public let file: PassedFile?
    }

    /// Returns the next packet; nil when there is none now.
    ///
    /// - Throws: `closed` at the end, `malformed` for a packet that is too long or brings more than one descriptor.
    public func receive() throws(Failure) -> Incoming? {
        var buffer = [UInt8](repeating: 0, count: Self.packetByteCountMax + 1)
        var descriptors: [Int32] = [-1, -1]
        var count: Int32 = 0
        let got = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe vs_receive_with_descriptors(descriptor, raw.baseAddress!, raw.count, &descriptors, &count)
        }
        let files = descriptors.prefix(Int(count)).map { PassedFile(taking: $0) }
        if got < 0 {
            if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return nil }
            throw errno == EBADMSG ? .malformed : .closed
        }
        guard got > 0 else { throw .closed }
        guard got <= Self.packetByteCountMax, files.count <= 1 else { throw .malformed }
        return Incoming(bytes: Array(buffer[..<got]), file: files.first)
    }

    /// Returns the next packet as a secret, read straight into locked memory; nil when there is none now.
    ///
    /// - Parameter max: the longest one, in bytes.
    public func receiveSecret(max: Int) throws(Failure) -> SecretBytes? {
        var secret = SecretBytes(zeroes: max + 1)
        let got = unsafe secret.withUnsafeMutableBytes { raw in
            unsafe recv(descriptor, raw.baseAddress!, raw.count, Int32(MSG_DONTWAIT))
        }
        if got < 0 {
            if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return nil }
            throw .closed
        }
        guard got > 0 else { throw .closed }
        guard got <= max else { throw .malformed }
        return secret.prefix(got)
    }
}

/// `PassedFile` is a descriptor that another process passed; closed with the value.
public final class PassedFile {
    public let descriptor: Int32

    public init(taking descriptor: Int32) { self.descriptor = descriptor }

    /// Makes a file that has no name, lies in memory and holds some bytes; nil when the system has no more.
    public static func inMemory(holding bytes: [UInt8] = []) -> PassedFile? {
        let opened = vs_memory_file()
        guard opened >= 0 else { return nil }
        let file = PassedFile(taking: opened)
        let written = unsafe bytes.withUnsafeBytes { raw in
            unsafe raw.isEmpty ? 0 : vs_write_whole(opened, raw.baseAddress!, raw.count)
        }
        return written == 0 ? file : nil
    }

    /// Where the kernel knows it to be now; nil where /proc cannot be read. The file system itself, which may hang, is
    /// not asked.
    public var name: [UInt8]? {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let got = unsafe text.withUnsafeMutableBytes { raw in
            unsafe readlink("/proc/self/fd/\(descriptor)", raw.baseAddress!, raw.count)
        }
        return got < 0 ? nil : Array(text[..<got])
    }

    deinit { close(descriptor) }
}
