// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `RemoteKind` says what a remote is.
public enum RemoteKind: UInt8, Sendable, CaseIterable {
    case folder = 1
    case webDAV
    case s3
    case dropbox
    /// What the program rclone reaches.
    case rclone
}

/// Adds a remote to the open vault, after it was tried by storing, reading, listing and removing a file. The secret is
/// what the remote asks for: a name, a zero, a password, a zero; empty where it asks for nothing.
public struct AddRemote: Operation {
    public static let id: UInt8 = 0xA8
    public static let traits: OperationTraits = [.upkeep, .secret]
    public typealias Reply = TriedRemote
    public var name = ""
    public var kind = RemoteKind.folder
    /// A folder's full path, or an address; of Dropbox the app's key and a prefix, `KEY[/PREFIX]`; of rclone a backend
    /// and a path, `BACKEND:PATH`.
    public var place: [UInt8] = []
    /// Of an S3 bucket.
    public var region = ""
    public var bucket = ""
    public var prefix = ""
    /// The address of a server used in place of Dropbox's hosts; empty for Dropbox's own.
    public var server = ""
    /// The full path of rclone.
    public var program = ""
    /// The secret was just obtained by signing in.
    public var signsIn = false
    /// Nothing is ever removed from it.
    public var isAppendOnly = false
    /// A pairing code, whose state this device is to read before it believes the remote; empty without one.
    public var code: [UInt8] = []
    public init() {}

    public init(name: String, kind: RemoteKind, place: [UInt8]) {
        (self.name, self.kind, self.place) = (name, kind, place)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
        try fields.code(&kind)
        try fields.bytes(&place, max: 4096)
        try fields.text(&region, max: 64)
        try fields.text(&bucket, max: 63)
        try fields.text(&prefix, max: 512)
        try fields.text(&server, max: 2048)
        try fields.text(&program, max: 4096)
        try fields.flag(&signsIn)
        try fields.flag(&isAppendOnly)
        try fields.bytes(&code, max: PairingCode.byteCountMax)
    }
}

/// Begins to sign in to a service that shows a code to whoever lets this device in. What the code is good for together
/// with stays with the agent, for requests that say `signsIn` on the same connection.
public struct StartSignIn: Operation {
    public static let id: UInt8 = 0xCF
    public static let traits: OperationTraits = []
    public typealias Reply = SignInPage
    public var kind = RemoteKind.dropbox
    /// As of `AddRemote`.
    public var place: [UInt8] = []
    public var server = ""
    /// A remote of the open vault, which already has a place; empty for a remote that does not exist yet.
    public var name = ""
    public init() {}
    public init(of remote: AddRemote) { (kind, place, server) = (remote.kind, remote.place, remote.server) }
    public init(again name: String) { self.name = name }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.bytes(&place, max: 4096)
        try fields.text(&server, max: 2048)
        try fields.text(&name, max: 64)
    }
}

/// The page on which somebody lets this device in.
public struct SignInPage: ReplyValue {
    /// To be opened in a browser, on any machine.
    public var address = ""
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.text(&address) }
}

/// Lists the remotes.
public struct ListRemotes: Operation {
    public static let id: UInt8 = 0xA9
    public static let traits: OperationTraits = []
    public typealias Reply = RemoteList
    public init() {}
}

/// Tries a remote by storing, reading, listing and removing a file.
public struct TestRemote: Operation {
    public static let id: UInt8 = 0xAA
    public static let traits: OperationTraits = []
    public typealias Reply = TriedRemote
    /// Its name; the only one when it is empty.
    public var name = ""
    public init() {}
    public init(name: String) { self.name = name }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
    }
}

/// Forgets a remote. Everything stored there stays.
public struct RemoveRemote: Operation {
    public static let id: UInt8 = 0xAB
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = TriedRemote
    public var name = ""
    public init() {}
    public init(name: String) { self.name = name }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
    }
}

/// A remote and where it is.
public struct RemoteRow: ReplyValue {
    public var name = ""
    public var kind = RemoteKind.folder
    /// A folder's path, an address, or an address with a bucket.
    public var place = ""
    /// When it was added, in milliseconds since 1970, UTC.
    public var made: Int64 = 0
    /// When everything was last sent and read; 0 before the first time.
    public var synced: Int64 = 0
    /// Nothing is read or sent over it until its owner says so.
    public var isPaused = false
    /// Nothing is ever removed from it.
    public var isAppendOnly = false
    /// When its owner has to sign in again, in milliseconds since 1970, UTC; 0 where that is not known.
    public var signInEnds: Int64 = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name)
        try fields.code(&kind)
        try fields.text(&place)
        try fields.i64(&made)
        try fields.i64(&synced)
        try fields.flag(&isPaused)
        try fields.flag(&isAppendOnly)
        try fields.i64(&signInEnds)
    }
}

/// The remotes, in the order in which they were added.
public struct RemoteList: ReplyValue {
    public var remotes: [RemoteRow] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&remotes) }
}

/// A remote that was tried, or forgotten.
public struct TriedRemote: ReplyValue {
    public var remote = RemoteRow()
    /// Devices of this vault whose cards lie there.
    public var deviceCount = 0
    /// Whether a file that was just stored was listed: some stores list late.
    public var listsAtOnce = true
    /// From the first request to the last answer.
    public var milliseconds = 0
    /// An append-only remote lets this device remove files anyway.
    public var letsRemove = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try remote.code(&fields)
        try fields.count(&deviceCount)
        try fields.flag(&listsAtOnce)
        try fields.count(&milliseconds)
        try fields.flag(&letsRemove)
    }
}
