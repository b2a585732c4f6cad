// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RemotePlace` tells where an object of a remote belongs: its name is made of this, and it opens nowhere else.
///
/// Spec: docs/format.md §25.2.
public struct RemotePlace: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Says that a device is there. It is found by a listing.
        case card
        /// What a device said at once.
        case segment
        /// 64 to the power of `level` segments in one object.
        case span(level: UInt8)
    }

    /// Levels of spans are 1 to this: a third covers 262,144 segments.
    public static let levelMax: UInt8 = 3
    /// Largest number: no chain is longer, and a sum of numbers never overflows.
    public static let numberMax: UInt64 = 1 << 62
    /// How many segments a span of level 1 covers, and how many spans one of the next level.
    public static let spanWidth: UInt64 = 64

    public let kind: Kind
    /// The epoch of the vault's key that it is named and sealed under.
    public let epoch: UInt32
    /// The writer.
    public let device: DeviceID
    /// Of the segment in its chain, or of the span in its level, from 1; 0 for a card.
    public let number: UInt64

    public init(kind: Kind, epoch: UInt32, device: DeviceID, number: UInt64 = 0) {
        self.kind = kind
        self.epoch = epoch
        self.device = device
        self.number = number
    }

    /// Whether such an object can exist.
    public var isPossible: Bool {
        switch kind {
        case .card: number == 0
        case .segment: (1...Self.numberMax).contains(number)
        case .span: number > 0 && coveredNumbers != nil
        }
    }

    /// The numbers of the segments that a span covers; nil for any other object, and beyond 2^62.
    public var coveredNumbers: ClosedRange<UInt64>? {
        guard case .span(let level) = kind, (1...Self.levelMax).contains(level), number > 0 else { return nil }
        let width = (1..<level).reduce(Self.spanWidth) { width, _ in width * Self.spanWidth }
        let (last, isOver) = number.multipliedReportingOverflow(by: width)
        return isOver || last > Self.numberMax ? nil : last - width + 1...last
    }

    /// Returns what the name is made of. A segment and a span are sealed with the same context; a card has another one,
    /// because a reader that looks for devices does not know them yet.
    public func context(in vault: VaultIdentity) -> Context {
        var objectID = ByteWriter(reserving: 25)
        objectID.raw(device.bytes)
        let contextKind: Context.Kind
        switch kind {
        case .card: contextKind = .card
        case .segment:
            contextKind = .segment
            objectID.u64(number)
        case .span(let level):
            contextKind = .span
            objectID.u8(level)
            objectID.u64(number)
        }
        return Context(
            kind: contextKind, vaultID: vault.vaultID, objectID: objectID.bytes, role: Self.role(of: vault),
            epoch: epoch)
    }

    /// Returns the copy ID, or 16 zeros: a copy has the keys and the ID of its vault, and its objects open in its own
    /// remote alone.
    static func role(of vault: VaultIdentity) -> [UInt8] {
        vault.copyID?.bytes ?? [UInt8](repeating: 0, count: CopyID.byteCount)
    }
}
