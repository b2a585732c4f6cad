// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultTesting

struct SecureRandomTests {
    @Test func C07aFailingRandomSourceGivesAnErrorAndNoZeros() {
        #expect(throws: CryptoError(.libraryFailure)) { try unsafe SecureRandom.bytes(32) { _ in -1 } }
        #expect(throws: CryptoError(.libraryFailure)) { _ = try unsafe SecureRandom.secret(32) { _ in -1 } }
    }

    @Test func C07aSourceThatFailsHalfwayGivesNothing() {
        func half(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
            for index in 0..<buffer.count / 2 { unsafe buffer[index] = 0xAA }
            return 1
        }
        #expect(throws: CryptoError(.libraryFailure)) { try unsafe SecureRandom.bytes(32, from: half) }
        #expect(throws: CryptoError(.libraryFailure)) { _ = try unsafe SecureRandom.secret(32, from: half) }
    }

    @Test func aSourceThatSucceedsIsTakenAsItIs() throws {
        let bytes = try unsafe SecureRandom.bytes(3) { buffer in
            unsafe buffer.copyBytes(from: [1, 2, 3])
            return 0
        }
        #expect(bytes == [1, 2, 3])
    }

    @Test func theKernelFillsAllBytesAndRepeatsNothing() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<1000 { #expect(seen.insert(try SecureRandom.bytes(16)).inserted) }
        let large = try SecureRandom.secret(1 << 20).array
        let blocks = stride(from: 0, to: large.count, by: 4096).map { Array(large[$0..<$0 + 16]) }
        #expect(Set(blocks).count == blocks.count)
        #expect(try SecureRandom.bytes(0) == [])
    }

    /// A second generator could be one that a forked or resumed process repeats.
    @Test func C07thereIsNoOtherSourceOfRandomness() throws {
        for module in ["VaultCrypto", "VaultFormat", "VaultCore", "SealedSQLite"] {
            for (name, text) in try Repository.sources(module) {
                for word in [
                    "RAND_", "SystemRandomNumberGenerator", ".random(in", "randomElement", "shuffled()", "/dev/urandom",
                    "arc4random",
                ] {
                    #expect(!text.contains(word), "\(module)/\(name): \(word)")
                }
            }
        }
    }
}
