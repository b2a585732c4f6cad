// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CFaults
import CSystemShims
import Foundation
import Glibc
import VaultCore

/// A file system on which renaming knows no flags, as NFS and most of FUSE: vaults are made and restored there all the
/// same, and nothing that is there is replaced.
struct RenameTrials {
    private let root: URL

    init(_ root: URL) { self.root = root }

    func run() throws -> Tally {
        var tally = Tally()
        for (name, links) in [("links", Int32(0)), ("no links", 1)] {
            tally.steps += 1
            let folder = root.appending(path: String(links))
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let scene = Scene(folder, keyFile: root.appending(path: "key-\(links)"))
            try scene.prepare()
            cf_refuse_flags(1, links)
            defer { cf_refuse_flags(0, 0) }
            func expect(_ what: String, _ holds: Bool) {
                tally.tried += 1
                if holds { tally.survived += 1 } else { tally.failures.append("\(name): \(what)") }
            }
            try scene.fill()
            let found = try scene.look()
            expect("a vault is made", found != nil)
            expect("another one in its place is refused", isRefused { try scene.prepare() })
            try scene.restore(fromArchive: false)
            if let found { expect("a backup is restored", try scene.isRestored(as: found)) }
            try files(in: folder, expect)
        }
        return tally
    }

    private func isRefused(_ body: () throws -> Void) -> Bool {
        do { try body() } catch { return (error as? VaultError)?.code == .exists }
        return false
    }

    /// A file and a folder get names that are free, and no other.
    private func files(in folder: URL, _ expect: (String, Bool) -> Void) throws {
        func path(_ name: String) -> String { folder.appending(path: name).path }
        func rename(_ from: String, _ to: String) -> Bool { unsafe vs_rename_new(path(from), path(to)) == 0 }
        try Data("one".utf8).write(to: URL(filePath: path("one")))
        try Data("two".utf8).write(to: URL(filePath: path("two")))
        expect("a file replaces none", !rename("one", "two") && errno == EEXIST)
        expect("both are there", try text(path("one")) == "one" && text(path("two")) == "two")
        expect("a file gets a free name", rename("one", "three"))
        expect(
            "it is there alone",
            try text(path("three")) == "one" && !FileManager.default.fileExists(atPath: path("one")))
        for name in ["full", "empty", "new"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        }
        try Data("kept".utf8).write(to: URL(filePath: path("full/file")))
        expect("a folder replaces none", !rename("new", "full") && errno == EEXIST)
        expect("nor an empty one", !rename("new", "empty"))
        expect("nor a file", !rename("new", "two"))
        expect("what is in it stays", try text(path("full/file")) == "kept")
        expect("a folder gets a free name", rename("full", "moved"))
        expect("with what is in it", try text(path("moved/file")) == "kept")
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }
}
