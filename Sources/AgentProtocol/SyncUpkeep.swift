// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Says how far each device was read, to be compared with what another device says, or compares it.
public struct CompareSync: Operation {
    public static let id: UInt8 = 0xBB
    public static let traits: OperationTraits = []
    public typealias Reply = ComparedSync
    /// What another device says: `DEVICE:NUMBER:HASH`, the first six digits of a device's name or more, the number of a
    /// segment, and the first six digits of its hash; none to say only what is known here.
    public var points: [String] = []
    public init() {}
    public init(points: [String]) { self.points = points }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.list(&points, max: 4096, else: "") { (fields, text) throws(FormatError) in
            try fields.text(&text, max: 64)
        }
    }
}

/// Pauses or resumes a remote: nothing is read or sent over it while it is paused.
public struct PauseRemote: Operation {
    public static let id: UInt8 = 0xBC
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = RemoteList
    /// Its name; the only one when it is empty.
    public var name = ""
    public var isPaused = true
    public init() {}
    public init(name: String, isPaused: Bool) { (self.name, self.isPaused) = (name, isPaused) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
        try fields.flag(&isPaused)
    }
}

/// Gives a remote another name, says whether anything may be removed from it, or gives what it asks for now, after that
/// was tried. The secret is as of `AddRemote`.
public struct SetRemote: Operation {
    public static let id: UInt8 = 0xBD
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = TriedRemote
    /// Its name; the only one when it is empty.
    public var name = ""
    /// Empty to keep the name.
    public var newName = ""
    /// Whether it becomes append-only: 0 as before, 1 no, 2 yes.
    public var appendOnly: UInt8 = 0
    /// The secret was just obtained by signing in.
    public var signsIn = false
    /// Whether a secret follows.
    public var hasSecret = false
    public var needsSecret: Bool { hasSecret }
    public init() {}
    public init(name: String, newName: String, hasSecret: Bool) {
        (self.name, self.newName, self.hasSecret) = (name, newName, hasSecret)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
        try fields.text(&newName, max: 64)
        try fields.u8(&appendOnly)
        try fields.flag(&signsIn)
        try fields.flag(&hasSecret)
    }
}

/// Reads back what this device has sent over a remote, names what is missing or altered there, and sends it again if
/// that is wanted. It removes nothing.
public struct VerifyRemote: Operation {
    public static let id: UInt8 = 0xBE
    public static let traits: OperationTraits = []
    public typealias Reply = VerifiedRemote
    /// What the request may have done: nothing of the vault is written, and what is sent lies outside of it.
    public var effect: RequestEffect { repairs ? .output : .nothing }
    /// Its name; the only one when it is empty.
    public var name = ""
    /// Whether what is missing is sent again.
    public var repairs = false
    public init() {}
    public init(name: String, repairs: Bool) { (self.name, self.repairs) = (name, repairs) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
        try fields.flag(&repairs)
    }
}

/// How far each device was read, and what a comparison has shown.
public struct ComparedSync: ReplyValue {
    public var points: [SyncPoint] = []
    public var compared: [ComparedPoint] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&points)
        try fields.values(&compared)
    }
}

/// How far a device was read over one remote.
public struct SyncPoint: ReplyValue {
    public var remote = ""
    public var device = SyncedDevice()
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&remote)
        try device.code(&fields)
    }
}

/// What another device says of a device, beside what is known here.
public struct ComparedPoint: ReplyValue {
    public enum Verdict: UInt8, Sendable, CaseIterable {
        /// Both have read the same.
        case same = 1
        /// Both have read that number, but different contents under it.
        case different
        /// This device has read more: the other is only late.
        case otherIsBehind
        /// The other device has read more: this one is only late.
        case otherIsAhead
        /// Nothing of that device was read here.
        case unknown
    }

    /// As it was given.
    public var point = ""
    public var verdict = Verdict.same
    public init() {}
    public init(point: String, verdict: Verdict) { (self.point, self.verdict) = (point, verdict) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&point)
        try fields.code(&verdict)
    }
}

/// What of this device was read back from a remote.
public struct VerifiedRemote: ReplyValue {
    public var remote = RemoteRow()
    /// Objects that were asked for, and bytes that came.
    public var objectCount = 0
    public var byteCount: UInt64 = 0
    public var faults: [RemoteFault] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try remote.code(&fields)
        try fields.count(&objectCount)
        try fields.u64(&byteCount)
        try fields.values(&faults)
    }
}

/// An object that is missing from a remote, or is not as it was sent.
public struct RemoteFault: ReplyValue {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case header = 1
        case card
        case segment
        case span
        /// A part of an attachment.
        case part
    }

    public var kind = Kind.segment
    /// Of a segment, of a span, of a part or of a header.
    public var number: UInt64 = 0
    /// Its folder and name in the remote.
    public var name = ""
    /// Whether there is something else under its name.
    public var isAltered = false
    /// Whether it was sent again, and read back.
    public var isMended = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.u64(&number)
        try fields.text(&name)
        try fields.flag(&isAltered)
        try fields.flag(&isMended)
    }
}

/// Tells what syncing did last, the newest last.
public struct ShowSyncLog: Operation {
    public static let id: UInt8 = 0xBF
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = SyncLogLines
    /// Lines at most.
    public var limit: UInt32 = 1000
    public init() {}
    public init(limit: UInt32) { self.limit = limit }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.u32(&limit) }
}

/// What syncing did.
public struct SyncLogLines: ReplyValue {
    public var lines: [SyncLogLine] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&lines) }
}

/// One thing that syncing did.
public struct SyncLogLine: ReplyValue {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case received = 1
        case sent
        case joined
        case conflict
        case failed
        case alarm
    }

    /// In milliseconds since 1970, UTC.
    public var made: Int64 = 0
    public var remote = ""
    public var kind = Kind.received
    /// What the device is called now; its name in the remote where it has said nothing; empty where there is none.
    public var device = ""
    public var count = 0
    /// Why the remote could not be used.
    public var failure = ""
    public var alarm: SyncAlarm?
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.i64(&made)
        try fields.text(&remote)
        try fields.code(&kind)
        try fields.text(&device)
        try fields.count(&count)
        try fields.text(&failure)
        try fields.optional(&alarm, else: SyncAlarm()) { (fields, alarm) throws(FormatError) in
            try alarm.code(&fields)
        }
    }
}
