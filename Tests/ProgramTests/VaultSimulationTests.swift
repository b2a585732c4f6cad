// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A small form of `make simulate`: devices with real vaults over a store that fails. It is a program of its own, since
/// chance and time are replaced in it by linking.
@Suite struct VaultSimulationTests {
    private func run(_ words: String...) throws -> Finished {
        try Command.run(
            [Programs.path("vault-simulator")] + words, environment: ["TMPDIR": "/tmp"], seconds: 180)
    }

    @Test func M07M12realVaultsMeetAgainUnderEachWeather() throws {
        let finished = try run("6000", "1", "as it is")
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        #expect(finished.text.contains(" 0 failures"))
    }

    /// Each of these failed once: by what an edit left out of which a purge had taken the rest, by an attachment that
    /// was told while the key was changed elsewhere, and, with notes' passwords, by a purge that took what nobody was
    /// shown or left others without the keyslot, and by whole objects that were put again.
    @Test(arguments: [
        ("rotating", "100"), ("rotating", "108"), ("lying", "121"), ("secret", "313"), ("secret", "322"),
        ("secret", "327"), ("secret", "336"), ("secret", "374"),
    ])
    func aRunThatFailedOnceDoesNotFailAgain(weather: String, seed: String) throws {
        let finished = try run("run", seed, weather)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
    }

    @Test func aRunOfRealVaultsFollowsFromItsSeed() throws {
        func counts() throws -> String {
            try run("run", "7", "honest").text.replacing(/[0-9]+ steps\/s/, with: "")
        }
        #expect(try counts() == counts())
    }
}
