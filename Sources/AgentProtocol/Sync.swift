// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Reads what is new on the remotes and sends what is not there, and waits for the end.
public struct SyncNow: Operation {
    public static let id: UInt8 = 0xAC
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = SyncReport
    /// Of a remote; all when it is empty.
    public var name = ""
    /// On the owner's word: takes over also what removes many notes at once.
    public var acceptsRemovals = false
    /// On the owner's word: says all that this vault has, since the device that has changed the key will not.
    public var speaksFirst = false
    public init() {}
    public init(name: String, acceptsRemovals: Bool) { (self.name, self.acceptsRemovals) = (name, acceptsRemovals) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
        try fields.flag(&acceptsRemovals)
        try fields.flag(&speaksFirst)
    }
}

/// Takes over the key that another device has made: finds it in the remote by what opens the vault there, and
/// re-encrypts this vault under it. The secret is that password, recovery key, or pair of password and key file.
public struct FollowKey: Operation {
    public static let id: UInt8 = 0xAF
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = EndedRotation
    /// Of a remote; the only one when it is empty.
    public var name = ""
    public var credential: CredentialKind = .password
    /// On the owner's word: tries keyslots that ask for more than eight times the work that is known here.
    public var triesDearKeys = false
    public init() {}
    public init(name: String, credential: CredentialKind) { (self.name, self.credential) = (name, credential) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
        try fields.code(&credential)
        try fields.flag(&triesDearKeys)
    }
}

/// How far the vault and its remotes are, without asking these.
public struct SyncStatus: Operation {
    public static let id: UInt8 = 0xAD
    public static let traits: OperationTraits = []
    public typealias Reply = SyncReport
    public init() {}
}

/// What was read and sent over each remote, and what its owner must know.
public struct SyncReport: ReplyValue {
    public var remotes: [SyncedRemote] = []
    /// Notes whose versions fitted together and were joined.
    public var joinedCount = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&remotes)
        try fields.count(&joinedCount)
    }
}

/// One remote in a report.
public struct SyncedRemote: ReplyValue {
    public var remote = RemoteRow()
    /// Changes that were read and taken over since the vault was opened, and changes that were sent.
    public var receivedCount = 0
    public var sentCount = 0
    /// Changes of this device that no store has acknowledged.
    public var pendingCount = 0
    /// This device and those that were heard of, by their names.
    public var devices: [SyncedDevice] = []
    /// Whether something is being read or sent now.
    public var isRunning = false
    /// Why the remote could not be reached when it was asked last; empty when it was.
    public var failure = ""
    public var alarms: [SyncAlarm] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try remote.code(&fields)
        try fields.count(&receivedCount)
        try fields.count(&sentCount)
        try fields.count(&pendingCount)
        try fields.values(&devices)
        try fields.flag(&isRunning)
        try fields.text(&failure)
        try fields.values(&alarms)
    }
}

/// How far the chain of a device was read: two devices that say the same of it have read the same.
public struct SyncedDevice: ReplyValue {
    /// 32 hexadecimal digits; another name in each remote.
    public var device = ""
    /// Of the last segment.
    public var number: UInt64 = 0
    /// The first six hexadecimal digits of its hash.
    public var hash = ""
    public var isThis = false
    /// Nothing waits for it any longer: it continues under another name, or its owner retired it.
    public var isRetired = false
    /// It has not come over since the vault's key was changed.
    public var isAwaited = false
    public init() {}
    public init(_ device: String, number: UInt64, hash: String, isThis: Bool = false, isRetired: Bool = false) {
        (self.device, self.number, self.hash) = (device, number, hash)
        (self.isThis, self.isRetired) = (isThis, isRetired)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&device)
        try fields.u64(&number)
        try fields.text(&hash)
        try fields.flag(&isThis)
        try fields.flag(&isRetired)
        try fields.flag(&isAwaited)
    }
}

/// Something about a remote that only its owner can judge.
public struct SyncAlarm: ReplyValue {
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// A device has said two things under one number: the remote shows different things, or the device was set
        /// back.
        case forked = 1
        /// This device was set back; it goes on under another name.
        case setBack
        /// Others have read what the remote does not show here.
        case hidden
        /// The remote has lost what it once had; it was sent again.
        case lost
        /// Something on the remote has not opened for a long time.
        case unreadable
        /// What would remove `count` notes at once was not taken over.
        case massChange
        /// The vault's key was changed here, and the remote still has the previous key.
        case rotated
        /// Another device has changed the vault's key.
        case endedElsewhere
        /// A newer program has written there.
        case newerFormat
        /// A device has sealed what no program writes.
        case malformed
        /// Another device has changed passwords or keys, which are valid here from now on.
        case newKeys
        /// The vault's key was changed on two devices at once, and the other device's key is the valid one.
        case endedTwice
        /// The device that has changed the key has not said everything that was true then.
        case notWhole
        /// A password that counts needs more memory than this machine has; the previous one opens the vault here.
        case keyNeedsMemory
        /// The remote does not show what the pairing code of this clone has named.
        case olderThanCode
        /// The remote does not show what a device has stored there, as that says over another remote.
        case withheld
    }

    public var kind = Kind.forked
    /// The device, 32 hexadecimal digits; empty if no device is concerned.
    public var device = ""
    public var count = 0
    /// The remote that shows it; empty where there is none.
    public var other = ""
    public init() {}
    public init(_ kind: Kind, device: String = "", count: Int = 0) {
        (self.kind, self.device, self.count) = (kind, device, count)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.text(&device)
        try fields.count(&count)
        try fields.text(&other, max: 64)
    }
}

/// Makes a vault from a remote, on the connection that the agent was started with: it has the vault's keys, and nothing
/// of its notes before its first sync. The secret is a `PasswordPair` of what opens the vault and of what the remote
/// asks for, as `AddRemote` has it. Where signing in has made another one of that, it comes as a secret before the end.
public struct CloneVault: Operation {
    public static let id: UInt8 = 0xAE
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = ClonedVault
    /// Where the vault is to be.
    public var directory: [UInt8] = []
    public var kind = RemoteKind.folder
    /// A folder's full path, or an address.
    public var place: [UInt8] = []
    /// Of an S3 bucket.
    public var region = ""
    public var bucket = ""
    public var prefix = ""
    public var server = ""
    public var program = ""
    public var signsIn = false
    /// Which vault, or copy of one, 32 hexadecimal digits; empty for the only one that lies in a folder.
    public var vault = ""
    public var credential: CredentialKind = .password
    /// On the owner's word: tries keyslots that ask for more than eight times the work that is known here.
    public var triesDearKeys = false
    /// On the owner's word: takes a header although the remote has one of a later key.
    public var acceptsOldKey = false
    /// What a pairing code says of vault and remote (docs/format.md §25.11); empty without one.
    public var code: [UInt8] = []
    public init() {}

    /// Makes a request that takes the place of the vault from a remote.
    ///
    /// - Parameter remote: where it lies.
    public init(directory: [UInt8], _ remote: AddRemote, credential: CredentialKind) {
        (self.directory, self.credential) = (directory, credential)
        (kind, place) = (remote.kind, remote.place)
        (region, bucket, prefix, code) = (remote.region, remote.bucket, remote.prefix, remote.code)
        (server, program, signsIn) = (remote.server, remote.program, remote.signsIn)
    }

    /// The remote, as it is added to an existing vault.
    public var remote: AddRemote {
        var remote = AddRemote(name: "", kind: kind, place: place)
        (remote.region, remote.bucket, remote.prefix, remote.code) = (region, bucket, prefix, code)
        (remote.server, remote.program, remote.signsIn) = (server, program, signsIn)
        return remote
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&directory, max: 4096)
        try fields.code(&kind)
        try fields.bytes(&place, max: 4096)
        try fields.text(&region, max: 64)
        try fields.text(&bucket, max: 63)
        try fields.text(&prefix, max: 512)
        try fields.text(&server, max: 2048)
        try fields.text(&program, max: 4096)
        try fields.flag(&signsIn)
        try fields.text(&vault, max: 32)
        try fields.code(&credential)
        try fields.flag(&triesDearKeys)
        try fields.flag(&acceptsOldKey)
        try fields.bytes(&code, max: PairingCode.byteCountMax)
    }
}

/// A vault that was made from a remote.
public struct ClonedVault: ReplyValue {
    /// Of the vault, or of the copy: 32 hexadecimal digits.
    public var vault = ""
    /// Of its header: whether it is the newest one only another device can tell.
    public var counter: UInt64 = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&vault)
        try fields.u64(&counter)
    }
}
