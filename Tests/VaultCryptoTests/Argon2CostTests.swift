// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import Testing
import VaultCrypto
import VaultTesting

struct Argon2CostTests {
    private static let salt = [UInt8](repeating: 5, count: 32)

    private static func cost(_ m: UInt32, _ t: UInt32, _ p: UInt32) -> Argon2Cost {
        Argon2Cost(memoryKiB: m, iterations: t, parallelism: p)
    }

    private static func derive(_ cost: Argon2Cost, memory: UInt64 = anyMemory) throws(CryptoError) {
        _ = try Argon2id.deriveKey(password: SecretBytes(array: [1]), salt: salt, cost: cost, memoryByteCount: memory)
    }

    static let tooLow = [
        cost(8, 1, 1), cost(65_535, 3, 4), cost(65_536, 2, 4), cost(65_536, 3, 0), cost(0, 0, 0), cost(65_536, 0, 1),
        cost(0, 3, 1), cost(1024, 64, 16),
    ]
    static let tooHigh = [
        cost(4_194_305, 3, 4), cost(.max, 3, 4), cost(65_536, 65, 4), cost(65_536, .max, 4), cost(65_536, 3, 17),
        cost(65_536, 3, 1 << 24 - 1), cost(.max, .max, .max), cost(1 << 31, 3, 1), cost(65_536, 1 << 31, 1),
    ]

    @Test(arguments: tooLow)
    func B01costsBelowTheFloorAreRefused(cost: Argon2Cost) throws {
        #expect(!cost.isAcceptable(memoryByteCount: anyMemory))
        #expect(throws: CryptoError(.costOutOfRange)) { try Self.derive(cost) }
        #expect(throws: CryptoError(.costOutOfRange)) {
            try PasswordHash.make(password: SecretBytes(array: [1]), cost: cost, memoryByteCount: anyMemory)
        }
    }

    @Test(arguments: tooHigh)
    func B02hugeCostsAreRefusedBeforeMemoryIsTaken(cost: Argon2Cost) throws {
        let clock = ContinuousClock()
        var best = Duration.seconds(60)
        let before = ThreadUsage.current()
        for _ in 0..<5 {
            let elapsed = clock.measure { #expect(throws: CryptoError(.costOutOfRange)) { try Self.derive(cost) } }
            best = min(best, elapsed)
        }
        // The best of five, because other tests run beside this one; memory is that of this thread for the same reason.
        #expect(best < .milliseconds(100))
        #expect(ThreadUsage.current().faultedByteCount - before.faultedByteCount < 64 << 20)
        #expect(!cost.isBelowCeiling && !cost.isAcceptable(memoryByteCount: anyMemory))
    }

    @Test func B02aHugeCostInAHashIsRefusedToo() throws {
        let text =
            "$argon2id$v=19$m=4194305,t=3,p=4$wMHCw8TFxsfIycrLzM3Oz9DR0tPU1dbX2Nna29zd3t8"
            + "$CRnWz1Z6Wfv2RrO4J+2yJGGSWbD3wn2eiCOXThgY1C8"
        let hash = try PasswordHash(parsing: text)
        #expect(throws: CryptoError(.costOutOfRange)) {
            try hash.verify(SecretBytes(array: [1]), memoryByteCount: anyMemory)
        }
    }

    @Test func theLimitsThemselvesAreTaken() {
        for cost in [Self.cost(65_536, 3, 1), Self.cost(4_194_304, 64, 16), Argon2Cost.recommended] {
            #expect(cost.isAcceptable(memoryByteCount: anyMemory))
        }
    }

    @Test func B02halfOfTheMachinesMemoryIsACeiling() throws {
        let cost = Self.cost(1 << 20, 3, 4)
        #expect(cost.isAcceptable(memoryByteCount: 2 << 30))
        #expect(!cost.isAcceptable(memoryByteCount: 2 << 30 - 1))
        #expect(!cost.isAcceptable(memoryByteCount: 0))
        #expect(throws: CryptoError(.costOutOfRange)) { try Self.derive(cost, memory: 1 << 30) }
    }

    @Test func calibrationNeverGoesBelowTheFloor() throws {
        #expect(try Argon2Cost.calibrated(targetSeconds: 0, memoryByteCount: 0) == .recommended)
        let cost = try Argon2Cost.calibrated(targetSeconds: 0.01, memoryByteCount: 256 << 20)
        #expect(cost.isAcceptable(memoryByteCount: 1 << 30))
    }

    /// Seconds that a derivation takes on a machine that fills `mebibytesPerSecond`.
    private static func machine(_ mebibytesPerSecond: Double) -> (Argon2Cost) -> Double {
        { Double($0.memoryKiB) / 1024 * Double($0.iterations) / mebibytesPerSecond }
    }

    @Test(
        arguments: [
            (1500, 16 << 30, cost(256 << 10, 5, 4)), (1500, 1 << 30, cost(256 << 10, 5, 4)),
            (1500, 512 << 20, cost(128 << 10, 11, 4)),
            (1500, 256 << 20, cost(64 << 10, 23, 4)), (8000, 16 << 30, cost(1024 << 10, 7, 4)),
            (400, 16 << 30, cost(256 << 10, 3, 4)),
            (100, 16 << 30, cost(64 << 10, 3, 4)), (1, 16 << 30, cost(64 << 10, 3, 4)),
        ] as [(Double, UInt64, Argon2Cost)])
    func memoryIsPreferredWhereThereIsSome(speed: Double, memory: UInt64, expected: Argon2Cost) throws {
        let chosen = try Argon2Cost.chosen(targetSeconds: 1, memoryByteCount: memory, measure: Self.machine(speed))
        #expect(chosen == expected)
        #expect(chosen.isAcceptable(memoryByteCount: memory))
    }

    /// Somebody waits for a vault: a quick machine is measured with one cost, at most four times.
    @Test func moreMemoryIsNotTriedWhereTheTimeIsKnown() throws {
        var tried: [Argon2Cost] = []
        let chosen = try Argon2Cost.chosen(targetSeconds: 1, memoryByteCount: 16 << 30) { cost in
            tried.append(cost)
            return Self.machine(8000)(cost)
        }
        #expect(chosen == Self.cost(1024 << 10, 7, 4))
        #expect(Set(tried.map(\.memoryKiB)) == [256 << 10] && tried.count <= 4)
    }

    @Test func theFastestOfSeveralMeasuresCounts() throws {
        var turn = 0
        let chosen = try Argon2Cost.chosen(targetSeconds: 1, memoryByteCount: 16 << 30) { cost in
            turn += 1
            return Self.machine(1500)(cost) * (turn % 3 == 0 ? 1 : 5 + Double(turn))
        }
        #expect(chosen == Self.cost(256 << 10, 5, 4))
    }

    @Test func aSaltOfAnotherSizeIsRefused() {
        for count in [0, 16, 31, 33] {
            #expect(throws: CryptoError(.badSize)) {
                _ = try Argon2id.deriveKey(
                    password: SecretBytes(array: [1]), salt: [UInt8](repeating: 1, count: count), cost: .recommended,
                    memoryByteCount: anyMemory)
            }
        }
    }
}
