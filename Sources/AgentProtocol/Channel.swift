// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
public import SecretMemory

/// `Channel` is the client's end of a connection to an agent: whole frames, blocking.
///
/// Spec: docs/agent-protocol.md §2.
public struct Channel: ~Copyable {
    /// `Failure` says what can go wrong with the connection itself.
    public struct Failure: Error, Sendable, Equatable {
        /// The agent ended, or closed the connection, before its last word.
        public static let closed = Failure(reason: 1)
        /// Bytes that no agent of ours sends.
        public static let malformed = Failure(reason: 2)
        private let reason: Int
    }

    /// `Incoming` is a frame as received.
    public enum Incoming: ~Copyable {
        case frame(FrameKind, [UInt8])
        case secret(SecretBytes)
    }

    public let descriptor: Int32

    /// Takes over a connected socket and closes it when the value ends.
    public init(taking descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    public func send(_ kind: FrameKind, _ payload: [UInt8]) throws(Failure) {
        var bytes = Frame.prefix(kind, byteCount: payload.count)
        bytes.append(contentsOf: payload)
        try unsafe bytes.withUnsafeBufferPointer { raw throws(Failure) in
            try unsafe write(UnsafeRawBufferPointer(raw))
        }
    }

    /// Sends a frame and an open file with it; the agent gets a descriptor of its own for the same file.
    ///
    /// Spec: docs/agent-protocol.md §6.
    public func send(_ kind: FrameKind, _ payload: [UInt8], descriptor passed: Int32) throws(Failure) {
        var bytes = Frame.prefix(kind, byteCount: payload.count)
        bytes.append(contentsOf: payload)
        try unsafe bytes.withUnsafeBufferPointer { raw throws(Failure) in
            var sent = -1
            repeat {
                sent = unsafe vs_send_with_descriptor(descriptor, raw.baseAddress!, raw.count, passed)
            } while sent < 0 && errno == EINTR
            guard sent > 0 else { throw .closed }
            try unsafe write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(raw)[sent...]))
        }
    }

    /// Sends secret bytes in place; no copy is made in this process.
    public func send(secret: borrowing SecretBytes) throws(Failure) {
        let prefix = Frame.prefix(.secret, byteCount: secret.byteCount)
        try unsafe prefix.withUnsafeBufferPointer { raw throws(Failure) in
            try unsafe write(UnsafeRawBufferPointer(raw))
        }
        try unsafe secret.withUnsafeBytes { raw throws(Failure) in try unsafe write(raw) }
    }

    /// Waits for the next frame.
    ///
    /// - Throws: `Failure.closed` at the end of the stream, `.malformed` for a length or kind that cannot be.
    public func receive() throws(Failure) -> Incoming {
        let prefix = try read(Frame.prefixByteCount)
        guard let (kind, byteCount) = Frame.parsePrefix(prefix) else { throw .malformed }
        guard kind == .secret else { return .frame(kind, try read(byteCount)) }
        return .secret(
            try unsafe SecretBytes(byteCount: byteCount) { raw throws(Failure) in try unsafe fill(raw) })
    }

    private func read(_ byteCount: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        // In steps: memory is taken as bytes arrive, not because a length announces them.
        while bytes.count < byteCount {
            let step = min(byteCount - bytes.count, 1 << 20)
            let begin = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: step))
            try unsafe bytes.withUnsafeMutableBufferPointer { raw throws(Failure) in
                try unsafe fill(
                    UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: raw[begin..<begin + step])))
            }
        }
        return bytes
    }

    private func fill(_ target: UnsafeMutableRawBufferPointer) throws(Failure) {
        var done = 0
        while done < target.count {
            let got = unsafe Glibc.read(descriptor, target.baseAddress! + done, target.count - done)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { throw .closed }
            done += got
        }
    }

    private func write(_ source: UnsafeRawBufferPointer) throws(Failure) {
        var done = 0
        while done < source.count {
            // MSG_NOSIGNAL: an agent that is gone is an error to report, not a signal to die of.
            let sent = unsafe Glibc.send(
                descriptor, source.baseAddress! + done, source.count - done, Int32(MSG_NOSIGNAL))
            if sent < 0 && errno == EINTR { continue }
            guard sent > 0 else { throw .closed }
            done += sent
        }
    }
}
