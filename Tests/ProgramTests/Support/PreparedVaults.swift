// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Synchronization

/// `PreparedVaults` makes vaults once and lends copies of them: the key of each new one takes a fifth of a second of a
/// processor, of which hundreds of tests have no use. Two worlds that are there at once never have the same vault.
enum PreparedVaults {
    /// `Prepared` is one that can be lent: a folder with `vault` and `state`, as `vault init` has made them.
    struct Prepared { let folder: String }

    private static let free = Mutex<[String]>([])
    private static let root = Mutex<String?>(nil)

    /// Copies a vault and what its account knows of it into a new world.
    ///
    /// - Returns: what is given back when the world ends.
    static func lay(into world: VaultWorld) throws -> Prepared {
        if let folder = free.withLock({ $0.popLast() }) {
            let prepared = Prepared(folder: folder)
            try copy(folder, world.root)
            return prepared
        }
        try world.makeVault()
        let prepared = Prepared(folder: try newFolder())
        try copy(world.root, prepared.folder)
        return prepared
    }

    static func giveBack(_ prepared: Prepared) { free.withLock { $0.append(prepared.folder) } }

    private static func copy(_ from: String, _ to: String) throws {
        try? FileManager.default.removeItem(atPath: to + "/state")
        for name in ["vault", "state"] {
            try FileManager.default.copyItem(atPath: from + "/" + name, toPath: to + "/" + name)
        }
    }

    private static func newFolder() throws -> String {
        let parent = try root.withLock { root in
            if let root { return root }
            var template = Array("/tmp/vault-prepared.XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else {
                throw VaultWorld.Failed(description: "no temporary directory")
            }
            let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            root = made
            atexit { PreparedVaults.removeAll() }
            return made
        }
        let folder = parent + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return folder
    }

    private static func removeAll() {
        if let root = root.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: root) }
    }
}
