// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultAgent

/// What the index keeps of a remote: a paused one has another version, so no program syncs it that does not know that.
struct RemoteSettingsTests {
    private let settings = RemoteSettings(.folder(Array("/mnt/nas".utf8)), vault: [UInt8](repeating: 7, count: 16))

    @Test func aPauseIsKept() throws {
        var paused = settings
        paused.isPaused = true
        #expect(settings.encoded.first == 1 && paused.encoded.first == 2)
        #expect(settings.encoded.dropFirst() == paused.encoded.dropFirst())
        for one in [settings, paused] { #expect(try RemoteSettings(parsing: one.encoded) == one) }
    }

    @Test func whatAPairingCodeHasNamedIsKeptUntilItWasRead() throws {
        var waiting = settings
        waiting.point = try PairedPoint(
            epoch: 2, device: DeviceID([UInt8](repeating: 9, count: 16)), number: 12,
            digest: [UInt8](repeating: 8, count: 32))
        #expect(waiting.encoded.first == 3 && waiting.encoded.suffix(29) == settings.encoded.suffix(29))
        #expect(try RemoteSettings(parsing: waiting.encoded) == waiting)
        waiting.isPaused = true
        #expect(try RemoteSettings(parsing: waiting.encoded) == waiting)
        (waiting.point, waiting.isPaused) = (nil, false)
        #expect(waiting.encoded == settings.encoded)
    }

    @Test func anotherVersionIsANewerPrograms() {
        for version: UInt8 in [0, 4, 255] {
            do {
                _ = try RemoteSettings(parsing: [version] + settings.encoded.dropFirst())
                Issue.record("version \(version) was read")
            } catch { #expect(error.code == .unknownVersion) }
        }
    }
}
