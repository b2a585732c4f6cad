// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncProtocol
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

    @Test func whatMayNotBeRemovedAndADayOfSigningInAreKept() throws {
        var kept = settings
        (kept.isAppendOnly, kept.signedIn) = (true, 1_700_000_000_000)
        #expect(kept.encoded.first == 4 && kept.encoded.suffix(29) == settings.encoded.suffix(29))
        #expect(try RemoteSettings(parsing: kept.encoded) == kept)
        kept.isPaused = true
        kept.point = try PairedPoint(
            epoch: 2, device: DeviceID([UInt8](repeating: 9, count: 16)), number: 12,
            digest: [UInt8](repeating: 8, count: 32))
        #expect(try RemoteSettings(parsing: kept.encoded) == kept)
        var strange = kept.encoded
        strange[1] |= 8
        #expect(throws: FormatError.self) { try RemoteSettings(parsing: strange) }
    }

    @Test func placesInCloudsAreKept() throws {
        let dropbox = RemoteSettings(
            .dropbox(try #require(DropboxFolder(appKey: "abc123", prefix: "my/notes"))), vault: settings.vault)
        #expect(try RemoteSettings(parsing: dropbox.encoded) == dropbox)
        #expect(dropbox.words.kind == "dropbox" && dropbox.words.place == "abc123/my/notes")
        let folder = try #require(RcloneFolder(program: "/usr/bin/rclone", backend: "iclouddrive", path: "my notes"))
        var rclone = RemoteSettings(.rclone(folder), vault: settings.vault)
        rclone.signedIn = 1000
        #expect(try RemoteSettings(parsing: rclone.encoded) == rclone)
        #expect(rclone.signInEnds == 1000 + 30 * 86_400_000, "Apple ends a sign-in after 30 days")
        for (program, backend, path) in [
            ("rclone", "drive", ""), ("/rclone", "dri:ve", ""), ("/rclone", "drive", "a//b"),
            ("/rclone", "drive", "../a"),
            ("/rclone", "drive", "a]b"), ("/rclone", "drive", "a\nb"), ("/rclone", "", "a"),
        ] { #expect(RcloneFolder(program: program, backend: backend, path: path) == nil, "\(backend) \(path)") }
        for (key, prefix) in [("", ""), ("a/b", ""), ("a b", ""), ("a", "../b"), ("a", "b//c"), ("a", "ü")] {
            #expect(DropboxFolder(appKey: key, prefix: prefix) == nil, "\(key) \(prefix)")
        }
    }

    @Test func anotherVersionIsANewerPrograms() {
        for version: UInt8 in [0, 5, 255] {
            do {
                _ = try RemoteSettings(parsing: [version] + settings.encoded.dropFirst())
                Issue.record("version \(version) was read")
            } catch { #expect(error.code == .unknownVersion) }
        }
    }
}
