// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A frame is one message on the socket: `UInt32 length of the rest | UInt8 kind | payload`, big-endian.
///
/// A secret travels in a frame of its own kind, as raw bytes, so that both sides can read it straight into locked
/// memory. Spec: docs/agent-protocol.md §2.
public enum FrameKind: UInt8, Sendable {
    /// Both ways, first: protocol version, program version.
    case hello = 1
    /// To the agent: one `Request`.
    case request = 2
    /// Both ways: raw secret bytes that belong to the request before or after it.
    case secret = 3
    /// To the agent: stop the request that is running.
    case cancel = 4
    /// From the agent: `Notice`.
    case notice = 17
    /// From the agent: `Progress`.
    case progress = 18
    /// From the agent: `Outcome`; the request is over.
    case end = 19
    /// From the agent: `EditText`; an edit has begun.
    case editText = 20
    /// From the agent: `DescribedAttachment`.
    case attachment = 21
    /// From the agent: `ShownPicture`.
    case picture = 22
    /// From the agent: a part of a reply that is longer than one frame; `reply` follows with its end.
    case replyPart = 23
    /// From the agent: the operation's `ReplyValue`, or its end.
    case reply = 24
}

public enum Frame {
    /// Bumped when a frame or a request changes its meaning.
    public static let protocolVersion: UInt16 = 20
    /// The version of the programs; client and agent must be of the same one.
    public static let programVersion = "0.1.0"
    /// Largest text of a note, in bytes.
    public static let noteByteCountMax = 16 << 20
    /// Largest frame, in bytes: a note's text and the rest of its request.
    public static let byteCountMax = noteByteCountMax + (1 << 20)
    /// Largest part of a reply in one frame, in bytes.
    public static let replyPartByteCountMax = 1 << 20
    /// Largest reply, in bytes: the longest text with everything around it, or a list of a million names.
    public static let replyByteCountMax = 256 << 20
    /// Largest secret, in bytes: two passwords with their key files and lengths.
    public static let secretByteCountMax = 8400
    /// Bytes before the payload.
    public static let prefixByteCount = 5

    /// Returns length and kind in front of a payload of `byteCount` bytes.
    public static func prefix(_ kind: FrameKind, byteCount: Int) -> [UInt8] {
        precondition(byteCount < byteCountMax, "a frame is at most 17 MiB")
        let count = UInt32(byteCount + 1)
        return [
            UInt8(truncatingIfNeeded: count >> 24), UInt8(truncatingIfNeeded: count >> 16),
            UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count), kind.rawValue,
        ]
    }

    /// Reads a prefix back.
    ///
    /// - Returns: the kind and the payload's size in bytes, or nil for a length or kind that cannot be.
    public static func parsePrefix(_ bytes: [UInt8]) -> (kind: FrameKind, byteCount: Int)? {
        guard bytes.count == prefixByteCount, let kind = FrameKind(rawValue: bytes[4]) else { return nil }
        let count = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let limit = kind == .secret ? secretByteCountMax : byteCountMax
        guard count >= 1, count <= limit else { return nil }
        return (kind, count - 1)
    }
}
