// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// Headers that ask for less work, for too much of it, or for another program.
struct HeaderWeakeningTests {
    @Test(arguments: [(5, UInt8(2)), (5, 0), (25, 1), (22, 0x80)])
    func A13anotherVersionOrAnUnknownFeatureIsNotOpened(at: Int, value: UInt8) throws {
        let vault = try TestVault()
        try vault.changeBothHeaders { $0[at] = value }
        expect(.newerFormat) { try vault.probe() }
    }

    private static let badCosts: [(UInt32, UInt32, UInt32)] = [
        (8, 1, 1), (65_535, 3, 4), (65_536, 2, 4), (65_536, 3, 0), (0, 0, 0),
        (4_294_967_295, 4_294_967_295, 16_777_215),
        (4_294_967_295, 3, 4), (65_536, 4_294_967_295, 4), (65_536, 3, 17), (4_194_305, 3, 4),
    ]

    @Test(arguments: badCosts)
    func B01B02aCostThatIsTooLowOrTooHighIsRefusedBeforeAnybodyIsAsked(
        memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32
    ) throws {
        let vault = try TestVault()
        var header = try UnverifiedHeader(parsing: vault.bytes("header"))
        header.keyslots[0].memoryKiB = memoryKiB
        header.keyslots[0].iterations = iterations
        header.keyslots[0].parallelism = parallelism
        try vault.changeBothHeaders { $0 = header.encoded }
        expect(.costOutOfRange) { try vault.probe() }
    }

    @Test func B01anotherAcceptableCostThanTheSlotsOwnDoesNotOpenIt() throws {
        let vault = try TestVault()
        var header = try UnverifiedHeader(parsing: vault.bytes("header"))
        header.keyslots[0].parallelism = 3
        try vault.changeBothHeaders { $0 = header.encoded }
        expect(.wrongPassword) { try vault.open(password: TestVault.password) }
        expect(.integrity, "the other slot opens and sees that its neighbour was changed") { try vault.open() }
    }
}
