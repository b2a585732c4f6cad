// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RemoteName` names an object of a remote: the HMAC of its context, 32 bytes. To the store it is random.
///
/// ```
/// d/<64 digits>       a card
/// s/ab/<64 digits>    a segment or a span; ab are the first two digits
/// o/ab/<64 digits>    a part of an attachment's object
/// ```
/// Spec: docs/format.md §25.1 and §25.2.
public struct RemoteName: Hashable, Sendable {
    /// `Folder` names the folder of a remote in which an object lies.
    public enum Folder: String, Sendable, CaseIterable {
        case headers = "h"
        case cards = "d"
        case segments = "s"
        case objects = "o"
    }

    public static let byteCount = 32
    /// Before the vault's own folder in the remote.
    public static let format = "notevault-1"
    /// How many names of one listing are looked at.
    public static let listedMax = 1024

    public let folder: Folder
    public let bytes: [UInt8]

    /// Takes the 32 bytes of a name.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8], in folder: Folder) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
        self.folder = folder
    }

    /// Takes a name that a store has listed in a folder; nil for anything but 64 lower-case hexadecimal digits, before
    /// any of it becomes a path (ThreatModel H05).
    public init?(listed text: String, in folder: Folder) {
        guard folder != .headers, let name = ObjectName(hex: text) else { return nil }
        bytes = name.bytes
        self.folder = folder
    }

    /// 64 lower-case hexadecimal digits.
    public var hex: String { hexadecimal(bytes) }

    /// Below the folder of the vault in the remote.
    public var path: String {
        folder == .cards ? "\(folder.rawValue)/\(hex)" : "\(folder.rawValue)/\(hex.prefix(2))/\(hex)"
    }

    /// Returns the folder of a vault in a remote: `notevault-1/<copy ID, or vault ID, in hexadecimal>`.
    public static func root(of vault: VaultIdentity) -> String { "\(format)/\(vault.hex)" }

    /// Returns what the name of a part of an attachment's object is made of; nothing is sealed with it.
    public static func context(
        ofPart part: UInt32, of object: ObjectName, in vault: VaultIdentity, epoch: UInt32
    ) -> Context {
        var role = ByteWriter(reserving: 20)
        role.raw(RemotePlace.role(of: vault))
        role.u32(part)
        return Context(
            kind: .objectPart, vaultID: vault.vaultID, objectID: object.bytes, role: role.bytes, epoch: epoch)
    }
}

/// `RemoteHeaderName` names a header in a remote: `<counter in 20 decimal digits>-<the first 8 hexadecimal digits of
/// its SHA-256>`.
///
/// It is public, and needed before any key: so it says which header is the newest. Spec: docs/format.md §25.3.
public struct RemoteHeaderName: Hashable, Comparable, Sendable {
    /// How many headers of a listing are tried, those with the highest counters.
    public static let triedMax = 16

    public let counter: UInt64
    /// 4 bytes.
    public let digestBegin: [UInt8]

    /// Makes the name of a header.
    ///
    /// - Parameter digest: SHA-256 of the header, 32 bytes.
    public init(counter: UInt64, digest: [UInt8]) {
        precondition(digest.count == HeaderStamp.digestByteCount, "a SHA-256 has 32 bytes")
        self.counter = counter
        digestBegin = Array(digest.prefix(4))
    }

    /// Takes a name that a store has listed; nil for one of another form (ThreatModel H05).
    public init?(listed text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, bytes[20] == UInt8(ascii: "-"),
            bytes[..<20].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let counter = UInt64(text.prefix(20)), let begin = hexadecimalBytes(text.suffix(8))
        else { return nil }
        self.counter = counter
        digestBegin = begin
    }

    public var text: String {
        let digits = String(counter)
        return String(repeating: "0", count: 20 - digits.count) + digits + "-" + hexadecimal(digestBegin)
    }

    /// Below the folder of the vault in the remote.
    public var path: String { "\(RemoteName.Folder.headers.rawValue)/\(text)" }

    /// Orders by the counter, then by the digest.
    public static func < (left: Self, right: Self) -> Bool {
        left.counter == right.counter
            ? left.digestBegin.lexicographicallyPrecedes(right.digestBegin) : left.counter < right.counter
    }
}
