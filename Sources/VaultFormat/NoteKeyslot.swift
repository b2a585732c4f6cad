// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NoteKeyslot` says how a private note's password opens its key.
///
/// ```
/// UInt16 version (1) | noteID 10 bytes | UInt32 keyEpoch | flag showsTitle | UInt32 memoryKiB | UInt32 iterations
/// | UInt32 parallelism
/// | salt 32 bytes | wrapped key 104 bytes | text passwordHash
/// ```
/// The hash is for `SecureNote.verify` and has a salt of its own; unlocking uses the wrapped key alone. Spec:
/// docs/format.md §18.
public struct NoteKeyslot: Sendable, Equatable {
    public static let version: UInt16 = 1
    public static let saltByteCount = 32
    public static let wrappedKeyByteCount = 104
    public static let passwordHashByteCountMax = 256

    public var noteID: NoteID
    /// From 1; one more with each new key.
    public var keyEpoch: UInt32
    /// Whether the title is told while the note is locked.
    public var showsTitle: Bool
    public var memoryKiB: UInt32
    public var iterations: UInt32
    public var parallelism: UInt32
    public var salt: [UInt8]
    public var wrappedKey: [UInt8] = []
    /// A PHC string.
    public var passwordHash = ""

    public init(
        noteID: NoteID, keyEpoch: UInt32, showsTitle: Bool, memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32,
        salt: [UInt8]
    ) {
        self.noteID = noteID
        self.keyEpoch = keyEpoch
        self.showsTitle = showsTitle
        self.memoryKiB = memoryKiB
        self.iterations = iterations
        self.parallelism = parallelism
        self.salt = salt
    }

    /// Reads the keyslot of a note.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        keyEpoch = try reader.u32()
        guard keyEpoch > 0 else { throw FormatError(.allZero, offset: reader.offset - 4) }
        showsTitle = try reader.flag()
        memoryKiB = try reader.u32()
        iterations = try reader.u32()
        parallelism = try reader.u32()
        salt = try reader.bytes(Self.saltByteCount)
        wrappedKey = try reader.bytes(Self.wrappedKeyByteCount)
        passwordHash = try reader.text(max: Self.passwordHashByteCountMax)
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 512)
        writer.u16(Self.version)
        writer.raw(noteID.bytes)
        writer.u32(keyEpoch)
        writer.flag(showsTitle)
        writer.raw(costsAndSalt)
        writer.raw(wrappedKey)
        writer.text(passwordHash)
        return writer.bytes
    }

    /// 44 bytes that the wrapped key's context holds, so that none of them can be changed unnoticed.
    public var costsAndSalt: [UInt8] {
        var writer = ByteWriter(reserving: 44)
        writer.u32(memoryKiB)
        writer.u32(iterations)
        writer.u32(parallelism)
        writer.raw(salt)
        return writer.bytes
    }
}
