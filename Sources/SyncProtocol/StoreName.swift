// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// What lies on a remote is of one of four areas, each a folder of the vault's there.
public enum StoreArea: UInt8, CaseIterable, Sendable {
    /// `d/`: a card for each device.
    case card = 1
    /// `h/`: headers, each under its counter and digest.
    case header = 2
    /// `s/`: segments and spans.
    case segment = 3
    /// `o/`: parts of attachments.
    case object = 4

    /// The folder's name.
    public var letter: String {
        switch self {
        case .card: "d"
        case .header: "h"
        case .segment: "s"
        case .object: "o"
        }
    }

    /// Whether its names are spread over 256 folders, by their first two digits.
    public var isSharded: Bool {
        switch self {
        case .card, .header: false
        case .segment, .object: true
        }
    }

    /// The largest file of the area, in bytes: what docs/format.md §25 allows, and some room beside that.
    public var byteCountMax: Int {
        switch self {
        case .card: 4 << 10
        case .header: 16 << 10
        case .segment: 38 << 20
        case .object: 17 << 20
        }
    }

    /// The largest file of all areas, in bytes.
    public static let byteCountMax = 38 << 20
}

/// `StoreName` is the name of one file on a remote. There is no other way to a path: what does not have one of these
/// forms never becomes one.
///
///     card, segment, object   64 hexadecimal digits
///     header                  20 decimal digits, "-", 8 hexadecimal digits
///
/// Digits above 9 are small letters. Spec: docs/format.md §25.1, docs/sync-protocol.md §1.
public struct StoreName: Hashable, Sendable {
    public let area: StoreArea
    /// The last part of its path.
    public let text: String

    /// Takes a name in an area; nil for anything that is not exactly such a name.
    public init?(_ area: StoreArea, _ bytes: some Collection<UInt8>) {
        let isName =
            switch area {
            case .card, .segment, .object: bytes.count == 64 && bytes.allSatisfy(Self.isHexadecimal)
            case .header: Self.isHeader(Array(bytes.prefix(30)))
            }
        guard isName else { return nil }
        self.area = area
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Takes a name in an area; nil for anything that is not exactly such a name.
    public init?(_ area: StoreArea, _ text: String) { self.init(area, Array(text.utf8)) }

    /// The folder that it lies in.
    public var folder: StoreFolder {
        // Two hexadecimal digits are a number below 256.
        StoreFolder(area: area, shard: area.isSharded ? UInt8(text.prefix(2), radix: 16) : nil)
    }

    private static func isHeader(_ bytes: [UInt8]) -> Bool {
        bytes.count == 29 && bytes[..<20].allSatisfy(isDecimal) && bytes[20] == UInt8(ascii: "-")
            && bytes[21...].allSatisfy(isHexadecimal)
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDecimal(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// `StoreFolder` is a folder that files lie in: of an area, and for a sharded one of the first byte of its names.
public struct StoreFolder: Hashable, Sendable {
    public let area: StoreArea
    public let shard: UInt8?

    /// The most names that one listing holds. More of them are a store's doing, not ours: 256 such folders would be a
    /// terabyte of the smallest segments.
    public static let nameCountMax = 65_536

    init(area: StoreArea, shard: UInt8?) {
        self.area = area
        self.shard = shard
    }

    /// Makes the folder of an area that has one.
    ///
    /// - Returns: nil unless a shard is given for just those areas that have shards.
    public init?(_ area: StoreArea, shard: UInt8? = nil) {
        guard area.isSharded == (shard != nil) else { return nil }
        self.init(area: area, shard: shard)
    }

    /// The parts of its path below the vault's folder.
    public var parts: [String] {
        guard let shard else { return [area.letter] }
        return [area.letter, hexadecimal([shard])]
    }
}
