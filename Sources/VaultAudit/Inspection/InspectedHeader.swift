// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `InspectedHeader` holds what one copy of the header says to everybody.
public struct InspectedHeader: Codable, Sendable, Equatable {
    public struct Slot: Codable, Sendable, Equatable {
        /// Its `identifier`, such as `recoveryKey`.
        public let kind: String
        /// Hexadecimal.
        public let slotID: String
        public let memoryKiB: UInt32
        public let iterations: UInt32
        public let parallelism: UInt32
        /// Whether vault would derive a key at this cost; always true for a recovery key, which needs no stretching.
        public let isCostAcceptable: Bool
    }

    /// Name of the file.
    public let name: String
    public let sha256: String
    /// Why it cannot be read, e.g. `unknownVersion at byte 4`; then all below is empty.
    public let problem: String?
    public let version: UInt16?
    public let vaultID: String?
    /// Of a copy with an identity of its own, hexadecimal.
    public let copyID: String?
    public let epoch: UInt32?
    public let counter: UInt64?
    public let slots: [Slot]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        sha256 = (try? Digest.sha256(bytes)).map(Hexadecimal.encode) ?? ""
        var header: UnverifiedHeader?
        var trouble: String?
        do throws(FormatError) {
            header = try UnverifiedHeader(parsing: bytes)
        } catch {
            trouble = FormatErrorName.of(error.code) + (error.offset.map { " at byte \($0)" } ?? "")
        }
        problem = trouble
        version = header.map { _ in UnverifiedHeader.version }
        vaultID = header?.vaultID.hex
        copyID = header?.copyID?.hex
        epoch = header?.epoch
        counter = header?.counter
        slots = header?.keyslots.map(Self.slot) ?? []
    }

    private static func slot(_ slot: Keyslot) -> Slot {
        let cost = Argon2Cost(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
        return Slot(
            kind: slot.kind.identifier, slotID: Hexadecimal.encode(slot.slotID), memoryKiB: slot.memoryKiB,
            iterations: slot.iterations, parallelism: slot.parallelism,
            isCostAcceptable: !slot.kind.usesArgon2 || cost.isAcceptable(memoryByteCount: .max))
    }

    var lines: [String] {
        guard let version, let vaultID, let epoch, let counter else {
            return [name, "  sha256   \(sha256)", "  \(problem ?? "")"]
        }
        let slotLines = slots.map { slot in
            let cost =
                slot.memoryKiB > 0 ? "  m=\(slot.memoryKiB) KiB  t=\(slot.iterations)  p=\(slot.parallelism)" : ""
            return
                "  keyslot  \(slot.kind)  ID \(slot.slotID)\(cost)\(slot.isCostAcceptable ? "" : "  REFUSED: cost out of range")"
        }
        return [
            "\(name), not verified", "  sha256   \(sha256)", "  version  \(version)", "  vault    \(vaultID)",
        ] + (copyID.map { ["  copy     \($0)"] } ?? []) + ["  epoch    \(epoch)", "  counter  \(counter)"] + slotLines
    }
}
