// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Serialized: each try costs one derivation, and costs are measured.
@Suite(.serialized) struct HeaderTests {
    /// Fields of a header with one keyslot, as offset and size in bytes. docs/format.md §5
    static let fields = [
        ("magic", 0, 4), ("version", 4, 2), ("vaultID", 6, 16), ("flags", 22, 4), ("epoch", 26, 4), ("counter", 30, 8),
        ("count", 38, 1),
        ("kind", 39, 1), ("slotID", 40, 16), ("memoryKiB", 56, 4), ("iterations", 60, 4), ("parallelism", 64, 4),
        ("salt", 68, 32),
        ("wrappedKey", 100, 104), ("mac", 204, 64),
    ]

    @Test func A12NoBitOfTheHeaderCanBeChanged() throws {
        let world = try VaultWorld(unlocked: false)
        let original = try HeaderBytes(of: world)
        #expect(original.bytes.count == 268)
        var triedCount = 0
        for (name, offset, size) in Self.fields {
            for bit in [0, size * 4, size * 8 - 1] {
                try world.forgetWhatWasSeen()
                try original.flipping(bit: bit, at: offset).write(to: world)
                let refused = try world.tryUnlock()
                expectRefusal(refused, refused.code)
                #expect([4, 11, 13].contains(refused.code), "bit \(bit) of \(name): \(refused.code) \(refused.err)")
                triedCount += 1
            }
        }
        #expect(triedCount >= 40)
        try world.forgetWhatWasSeen()
        try original.write(to: world)
        #expect(try world.tryUnlock().code == 0)
    }

    @Test func A13ANewerFormatIsRefused() throws {
        let world = try VaultWorld(unlocked: false)
        try world.forgetWhatWasSeen()
        try HeaderBytes(of: world).flipping(bit: 14, at: 4).write(to: world)
        for command in [["unlock", "--password-file", world.passwordFile], ["ls"], ["status"]] {
            expectRefusal(try world.vault(command), 11, says: "format 3")
        }
    }

    @Test(arguments: [UInt8(4), 9, 255]) func A13AKeyslotOfAKindThatIsNotKnownIsANewerFormat(kind: UInt8) throws {
        let world = try VaultWorld(unlocked: false)
        try world.forgetWhatWasSeen()
        var header = try HeaderBytes(of: world)
        header.bytes[39] = kind
        try header.write(to: world)
        let refused = try world.tryUnlock()
        expectRefusal(refused, 11, says: "made by a newer version")
        #expect(!refused.err.contains("damaged"), "\(refused.err)")
    }

    @Test(arguments: [true, false]) func aHeaderOfAnySizeButItsOwnIsRefused(isLonger: Bool) throws {
        let world = try VaultWorld(unlocked: false)
        var header = try HeaderBytes(of: world)
        if isLonger { header.bytes.append(0) } else { header.bytes.removeLast() }
        try world.forgetWhatWasSeen()
        try header.write(to: world)
        expectRefusal(try world.tryUnlock(), 13, says: "damaged or changed")
    }

    @Test(arguments: HeaderBytes.names) func oneDamagedCopyIsMendedFromTheOther(name: String) throws {
        let world = try VaultWorld(unlocked: false)
        let original = try HeaderBytes(of: world)
        let damages = [
            original.flipping(bit: 3, at: 210), original.flipping(bit: 3, at: 22), original.flipping(bit: 3, at: 0),
            original.flipping(bit: 3, at: 10), HeaderBytes(cutting: original, to: 100),
            HeaderBytes(cutting: original, to: 0),
        ]
        for damaged in damages {
            try damaged.write(to: world, names: [name])
            let opened = try world.tryUnlock()
            #expect(opened.code == 0, "\(opened.err)")
            guard opened.code == 0 else { continue }
            try world.require(world.vault("lock"))
            for copy in HeaderBytes.names { #expect(try HeaderBytes(of: world, copy).bytes == original.bytes) }
        }
    }

    @Test(arguments: HeaderBytes.names) func aMissingCopyIsMendedFromTheOther(name: String) throws {
        let world = try VaultWorld(unlocked: false)
        let original = try HeaderBytes(of: world)
        try world.require(Command.run(["/bin/rm", world.directory + "/" + name], environment: world.environment))
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        for copy in HeaderBytes.names { #expect(try HeaderBytes(of: world, copy).bytes == original.bytes) }
    }

    @Test func B01CostsBelowTheFloorAreRefusedBeforeDerivation() throws {
        try expectCostsRefused([(65535, 3, 4), (65536, 2, 4), (8, 1, 1), (65536, 3, 0), (0, 0, 0)])
    }

    @Test func B02CostsAboveTheCeilingAreRefusedWithoutMemory() throws {
        try expectCostsRefused([
            (.max, 3, 4), (4 << 20 + 1, 3, 4), (65536, .max, 4), (65536, 65, 4), (65536, 3, 0xFF_FFFF), (65536, 3, 17),
        ])
    }

    /// The refusal is by a process that may have less memory than the cheapest derivation takes.
    private func expectCostsRefused(_ costs: [(memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32)]) throws {
        let world = try VaultWorld(unlocked: false)
        let original = try HeaderBytes(of: world)
        try world.forgetWhatWasSeen()
        func shell(_ limit: Int) -> [String] {
            [
                "/bin/sh", "-c", "ulimit -d \(limit); exec \"$0\" unlock --password-file \"$1\"",
                Programs.path("vault"), world.passwordFile,
            ]
        }
        // What the programs themselves take differs from build to build: with less they do not start, with much more a
        // derivation has room.
        let limit = try stride(from: 40_000, through: 120_000, by: 10_000).first { limit in
            let refused = try Command.run(shell(limit), environment: world.environment)
            return refused.code == 1 && refused.err.contains("not enough memory to derive")
        }
        let shell = shell(try #require(limit, "no limit lets the programs start and a derivation fail"))
        for cost in costs {
            try original.asking(memoryKiB: cost.memoryKiB, iterations: cost.iterations, parallelism: cost.parallelism)
                .write(to: world)
            let refused = try Command.run(shell, environment: world.environment)
            expectRefusal(refused, 13, says: "password cost")
            #expect(refused.seconds < 2)
        }
    }
}
