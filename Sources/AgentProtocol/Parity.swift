// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Restores damaged files of a backup or an archive from their parity, on the connection that the agent was started
/// with: no key is needed. The descriptor is the backup's folder, or the folder that the archive lies in.
public struct MendBackup: Operation {
    public static let id: UInt8 = 0x58
    public static let traits: OperationTraits = [.output, .descriptor]
    public typealias Reply = MendedBackup
    /// The archive's name in its folder; nil for a backup.
    public var archive: String?
    /// Only says what would be mended.
    public var isTrial = false
    public init() {}

    public init(archive: String?, isTrial: Bool) { (self.archive, self.isTrial) = (archive, isTrial) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.optionalText(&archive, max: 255)
        try fields.flag(&isTrial)
    }
}

/// What a mend has found and done.
public struct MendedBackup: ReplyValue {
    /// A damaged or missing file.
    public struct File: ReplyValue {
        /// From the backup's folder on, or the archive's name.
        public var path = ""
        /// Blocks that were not as their checksums say.
        public var damagedBlocks = 0
        public var wasMissing = false
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&path, max: 1024)
            try fields.count(&damagedBlocks)
            try fields.flag(&wasMissing)
        }
    }

    public var parityFiles = 0
    public var checkedFiles = 0
    public var checkedByteCount: UInt64 = 0
    public var mended: [File] = []
    /// Beyond repair, and left as they are.
    public var lost: [File] = []
    /// Names of damaged parity files that were rebuilt.
    public var mendedParity: [String] = []
    /// Names of parity files that are no longer of use.
    public var lostParity: [String] = []
    /// Files of the backup that no parity covers.
    public var uncovered = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&parityFiles)
        try fields.count(&checkedFiles)
        try fields.u64(&checkedByteCount)
        try fields.values(&mended)
        try fields.values(&lost)
        try fields.texts(&mendedParity)
        try fields.texts(&lostParity)
        try fields.count(&uncovered)
    }
}

/// Writes parity of an archive beside it. The descriptor is the folder that it lies in.
public struct CoverArchive: Operation {
    public static let id: UInt8 = 0x59
    public static let traits: OperationTraits = [.output, .descriptor]
    public typealias Reply = CoveredArchive
    /// The archive's name in its folder.
    public var archive = ""
    /// Of the archive's size.
    public var percent: UInt32 = 0
    public init() {}

    public init(archive: String, percent: UInt32) { (self.archive, self.percent) = (archive, percent) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&archive, max: 255)
        try fields.u32(&percent)
    }
}

/// Parity that was written.
public struct CoveredArchive: ReplyValue {
    public var byteCount: UInt64 = 0
    public init() {}
    public init(byteCount: UInt64) { self.byteCount = byteCount }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.u64(&byteCount) }
}
