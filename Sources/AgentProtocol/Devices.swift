// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Lists the devices of the vault: their names, when they were last heard from, and how far they have read.
public struct ListDevices: Operation {
    public static let id: UInt8 = 0xB8
    public static let traits: OperationTraits = []
    public typealias Reply = DeviceList
    public init() {}
}

/// Gives a device another name, which all devices hear.
public struct RenameDevice: Operation {
    public static let id: UInt8 = 0xB9
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = DeviceList
    /// A name, or characters of an identifier; this device when it is empty.
    public var ref = ""
    public var name = ""
    public init() {}
    public init(ref: String, name: String) { (self.ref, self.name) = (ref, name) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&ref, max: 256)
        try fields.text(&name, max: 256)
    }
}

/// Retires a device: nothing waits any longer for it to read.
public struct RetireDevice: Operation {
    public static let id: UInt8 = 0xBA
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = DeviceList
    /// A name, or characters of an identifier.
    public var ref = ""
    public init() {}
    public init(ref: String) { self.ref = ref }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&ref, max: 256)
    }
}

/// Reports which device a revocation would retire, if anything can be revoked at all. Changes nothing.
public struct PlanRevocation: Operation {
    public static let id: UInt8 = 0xB3
    public static let traits: OperationTraits = []
    public typealias Reply = DeviceList
    /// A name, or characters of an identifier.
    public var ref = ""
    public init() {}
    public init(ref: String) { self.ref = ref }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&ref, max: 256)
    }
}

/// Reads and sends everything over a remote, and says what a new device is to know of it.
public struct PairDevice: Operation {
    public static let id: UInt8 = 0xB4
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = PairedState
    /// Of a remote; the only one when it is empty.
    public var name = ""
    public init() {}
    public init(name: String) { self.name = name }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name, max: 64)
    }
}

/// What a new device is to know of the vault and its remote. Nothing of it is secret.
public struct PairedState: ReplyValue {
    /// Of the remote.
    public var remote = ""
    /// A pairing code (docs/format.md §25.11).
    public var code: [UInt8] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&remote)
        try fields.bytes(&code, max: PairingCode.byteCountMax)
    }
}

/// Devices of the vault, this one first; or the one that was renamed or retired.
public struct DeviceList: ReplyValue {
    public var devices: [DeviceRow] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&devices) }
}

/// A device of the vault.
public struct DeviceRow: ReplyValue {
    /// 32 hexadecimal digits. For a device that has not identified itself, its name in a remote.
    public var device = ""
    /// Any text; empty for a device that has not said who it is.
    public var name = ""
    /// What it runs on, as it says.
    public var system = ""
    public var isThis = false
    /// When it sealed the last of its segments that was read, by its own clock, in milliseconds since 1970, UTC; 0 when
    /// nothing of it was read, and for this device.
    public var heard: Int64 = 0
    /// Nothing waits for it any longer.
    public var isRetired = false
    /// Nothing was heard from it for 180 days.
    public var isDormant = false
    /// The names under which it speaks.
    public var chains: [DeviceChain] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&device)
        try fields.text(&name)
        try fields.text(&system)
        try fields.flag(&isThis)
        try fields.i64(&heard)
        try fields.flag(&isRetired)
        try fields.flag(&isDormant)
        try fields.values(&chains)
    }
}

/// A device as it speaks in one remote.
public struct DeviceChain: ReplyValue {
    public var remote = ""
    /// 32 hexadecimal digits: its name there.
    public var chain = ""
    /// Its last segment that was read here; of this device the last that was sent.
    public var number: UInt64 = 0
    /// The last segment of this device that it has read, by its own words.
    public var hasRead: UInt64 = 0
    /// The last segment that this device has sent.
    public var sent: UInt64 = 0
    public var isRetired = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&remote)
        try fields.text(&chain)
        try fields.u64(&number)
        try fields.u64(&hasRead)
        try fields.u64(&sent)
        try fields.flag(&isRetired)
    }
}
