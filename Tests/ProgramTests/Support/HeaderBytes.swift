// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// The header of a vault as bytes, for tests that change them. docs/format.md §5.
struct HeaderBytes {
    static let names = ["header", "header.2"]
    static let firstSlot = 39

    var bytes: [UInt8]

    init(of world: VaultWorld, _ name: String = "header") throws {
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: world.directory + "/" + name)))
    }

    init(cutting header: HeaderBytes, to byteCount: Int) { bytes = Array(header.bytes.prefix(byteCount)) }

    /// Writes these bytes over some of the two copies.
    func write(to world: VaultWorld, names: [String] = HeaderBytes.names) throws {
        for name in names {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: world.directory + "/" + name))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(bytes))
            try file.close()
        }
    }

    /// A copy with one bit of one byte turned over; bit 0 is the highest.
    func flipping(bit: Int, at offset: Int) -> HeaderBytes {
        var changed = self
        changed.bytes[offset + bit / 8] ^= 0x80 >> UInt8(bit % 8)
        return changed
    }

    /// A copy with other costs of the first keyslot.
    func asking(memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32) -> HeaderBytes {
        var changed = self
        for (index, number) in [memoryKiB, iterations, parallelism].enumerated() {
            for byte in 0..<4 {
                changed.bytes[Self.firstSlot + 17 + index * 4 + byte] = UInt8(
                    truncatingIfNeeded: number >> UInt32(24 - byte * 8))
            }
        }
        return changed
    }
}

extension VaultWorld {
    /// What this user saw of vaults before, and how often a password was wrong, is forgotten.
    func forgetWhatWasSeen() throws {
        for folder in [path("state"), path("run")] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
        }
    }
}
