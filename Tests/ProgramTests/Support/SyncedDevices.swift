// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Two devices of one vault and the folder between them.
final class SyncedDevices {
    let first: VaultWorld
    let second: VaultWorld
    var folder: String { first.path("remote") }

    /// The first has notes and the remote, the second is a clone.
    init(notes: [String] = ["# Shopping\nmilk\nbread\nsalt\npepper"]) throws {
        first = try VaultWorld()
        second = try VaultWorld(prepared: false, unlocked: false)
        try first.makeFolder("remote")
        for note in notes { _ = try first.new(note) }
        try first.require(first.vault("remote", "add", "folder", folder))
        try first.require(first.vault("sync", "now"))
        try second.require(second.vault("clone", folder, "--password-file", second.passwordFile))
        try second.unlock()
    }

    /// Each meets the folder twice: what the second one says the first hears in its next turn.
    func sync() throws {
        for world in [first, second, first, second] { try world.require(world.vault("sync", "now")) }
    }

    func expectEqual(_ location: SourceLocation = #_sourceLocation) throws {
        let lists = try [first, second].map { try JSON($0.vault("ls", "--all", "--json")) }
        let rows = lists.map { list in
            list["notes"].array.map {
                ($0["id"].string ?? "", $0["revision"].string ?? "", $0["forked"].bool ?? false)
            }
            .sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1) \($0.2)" }
        }
        #expect(rows[0] == rows[1], sourceLocation: location)
        for note in lists[0]["notes"].array.compactMap({ $0["id"].string }) {
            let texts = try [first, second].map { try $0.require($0.vault("cat", note)).text }
            #expect(texts[0] == texts[1], sourceLocation: location)
        }
        for world in [first, second] {
            let check = try world.vault("check")
            #expect(check.code == 0, "\(check.text) \(check.err)", sourceLocation: location)
        }
    }
}
