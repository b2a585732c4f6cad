// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What the vault knows about the book services.
public struct ShowBookService: Operation {
    public static let id: UInt8 = 0xCB
    public typealias Reply = BookServiceStatus
    public static let traits: OperationTraits = []
    public init() {}
}

/// Records that the owner agrees to queries to these services.
public struct AgreeToBookService: Operation {
    public static let id: UInt8 = 0xCC
    public static let traits: OperationTraits = [.upkeep]
    /// Their addresses, one per line; empty to withdraw the agreement.
    public var addresses = ""
    public init() {}
    public init(addresses: String) { self.addresses = addresses }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&addresses, max: 4096)
    }
}

/// Keeps a key for the first of these services, the secret. An empty one removes it.
public struct SetBookKey: Operation {
    public static let id: UInt8 = 0xCD
    public static let traits: OperationTraits = [.upkeep, .secret]
    public static let byteCountMax = 512
    public init() {}
}

/// Writes the key of the first of these services into the pipe that comes with it, whose other end the program holds
/// that is to send it: the client never has it.
public struct PassBookKey: Operation {
    public static let id: UInt8 = 0xCE
    public static let traits: OperationTraits = [.descriptor]
    public init() {}
}

public struct BookServiceStatus: ReplyValue {
    /// The addresses that the owner has agreed to, one on a line.
    public var agreed = ""
    public var hasKey = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&agreed)
        try fields.flag(&hasKey)
    }
}
