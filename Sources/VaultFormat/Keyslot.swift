// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Keyslot` is a record that lets one credential recover the vault key.
///
/// ```
/// offset  size  field
///      0     1  kind         1 password, 2 recovery key, 3 password and key file
///      1    16  slotID       random, never all zero
///     17     4  memoryKiB    UInt32, big-endian; 0 for a recovery key
///     21     4  iterations   UInt32; 0 for a recovery key
///     25     4  parallelism  UInt32; 0 for a recovery key
///     29    32  salt         random
///     61   104  wrappedKey   Cobblestone-256 of the 32-byte vault key
///    165        end
/// ```
/// Spec: docs/format.md §5. Vectors: Vectors/header.json
public struct Keyslot: Sendable, Equatable {
    public static let byteCount = 165
    public static let saltByteCount = 32
    public static let wrappedKeyByteCount = 104

    public var kind: Kind
    public var slotID: [UInt8]
    public var memoryKiB: UInt32
    public var iterations: UInt32
    public var parallelism: UInt32
    public var salt: [UInt8]
    public var wrappedKey: [UInt8]

    public init(kind: Kind, slotID: [UInt8], memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32, salt: [UInt8])
    {
        self.kind = kind
        self.slotID = slotID
        self.memoryKiB = memoryKiB
        self.iterations = iterations
        self.parallelism = parallelism
        self.salt = salt
        wrappedKey = []
    }

    /// Reads a keyslot of a header.
    ///
    /// - Throws: `FormatError.unknownKind`, `.allZero`, `.notCanonical`, `.truncated`.
    init(from reader: inout ByteReader) throws(FormatError) {
        let at = reader.offset
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: at) }
        self.kind = kind
        slotID = try reader.bytes(16)
        guard slotID.contains(where: { $0 != 0 }) else { throw FormatError(.allZero, offset: at + 1) }
        memoryKiB = try reader.u32()
        iterations = try reader.u32()
        parallelism = try reader.u32()
        salt = try reader.bytes(Self.saltByteCount)
        wrappedKey = try reader.bytes(Self.wrappedKeyByteCount)
        guard kind.usesArgon2 || (memoryKiB, iterations, parallelism) == (0, 0, 0) else {
            throw FormatError(.notCanonical, offset: at + 17)
        }
    }

    public var encoded: [UInt8] { clearFields + wrappedKey }

    /// All fields but the wrapped key, 61 bytes: its context holds them, so none can be changed unnoticed.
    public var clearFields: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCount)
        writer.u8(kind.rawValue)
        writer.raw(slotID)
        writer.u32(memoryKiB)
        writer.u32(iterations)
        writer.u32(parallelism)
        writer.raw(salt)
        return writer.bytes
    }
}
