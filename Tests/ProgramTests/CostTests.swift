// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// What a new password costs who guesses it. Serialized: times are measured.
@Suite(.serialized) struct CostTests {
    @Test func aBusyMachineDoesNotChooseTheFloorForGood() throws {
        let world = try VaultWorld(prepared: false)
        let busy = try (0..<4).map { _ in try Child(["/bin/sh", "-c", "while :; do :; done"], environment: [:]) }
        defer { busy.forEach { $0.end() } }
        try world.require(world.vault("init", "--no-recovery", "--password-file", world.passwordFile, seconds: 300))
        #expect(try Self.memoryKiB(world) >= 256 << 10)
    }

    @Test func doctorComparesTheCostWithWhatThisMachineWouldChoose() throws {
        let world = try VaultWorld()
        func check() throws -> String {
            try world.vault("doctor", "--security", seconds: 120).lines.joined(separator: " ").split(separator: " ")
                .joined(separator: " ")
        }
        let cheap = try check()
        #expect(cheap.contains("Argon2id with 64 MiB, t=3, p=4; this machine would choose "), "\(cheap)")
        #expect(cheap.contains("vault passwd --upgrade"), "\(cheap)")
        try world.require(world.vault("--password-file", world.passwordFile, "passwd", "--upgrade", seconds: 120))
        #expect(try Self.memoryKiB(world) >= 256 << 10)
        let raised = try check()
        #expect(raised.contains("this machine would choose "), "\(raised)")
        #expect(!raised.contains("vault passwd --upgrade"), "\(raised)")
    }

    /// docs/format.md §5: the first keyslot begins at 39, its memory 17 bytes into it.
    private static func memoryKiB(_ world: VaultWorld) throws -> UInt32 {
        let header = try Data(contentsOf: URL(fileURLWithPath: world.directory + "/header"))
        return header[(39 + 17)..<(39 + 21)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
