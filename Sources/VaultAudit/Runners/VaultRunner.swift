// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import VaultCore

/// `VaultRunner` tests whole vaults, archives and backups: they are opened as the programs open them, checked, read and
/// compared.
enum VaultRunner {
    static func vault(_ test: VectorTest) throws -> Verdict {
        let place = try FixtureFolder()
        if test.has("after") { try seeFirst(test.earlier("after"), in: place) }
        try place.put(FixtureFiles(test))
        let form = test.has("form") ? try test.text("form") : "vault"
        switch form {
        case "vault": return try opened(test, place.given, in: place) { try test.credential() }
        case "archive":
            try step("restore") {
                try FixtureRestore.archive(place.given.appending(path: FixtureFiles.archiveName), test, in: place)
            }
            return try opened(test, place.restored, in: place) { .recoveryKey(FixtureRestore.recoveryKey) }
        case "backup":
            try step("restore") { try FixtureRestore.snapshot(test, in: place) }
            return try opened(test, place.restored, in: place) { try test.credential() }
        default: throw VectorFault("an unknown form")
        }
    }

    /// Opens what this account saw at the same path before.
    private static func seeFirst(_ test: VectorTest, in place: FixtureFolder) throws {
        try place.put(FixtureFiles(test))
        do {
            try OpenVault(VaultProbe(path: Array(place.given.path.utf8), pins: place.pins), test.credential()).close()
        } catch is VaultError {
            throw VectorFault("what was seen before does not open")
        }
    }

    private static func opened(
        _ test: VectorTest, _ vault: URL, in place: FixtureFolder, with credential: () throws -> Credential
    ) throws -> Verdict {
        let probe = try step("probe") { try VaultProbe(path: Array(vault.path.utf8), pins: place.pins) }
        let store = try step("open") { try OpenVault(probe, credential()) }
        let verdict = try step("check") {
            let content = try FixtureContent(store)
            if test.has("notePassword") { try content.unlock(test.bytes("notePassword")) }
            try check(store)
            return try content.verdict(test.withContent())
        }
        guard case .accepted = verdict else { return verdict }
        try step("close") { try store.close() }
        let copies = ["header", "header.2"].map { place.bytes($0, in: vault) }
        return .comparing([("one copy of the header was not mended", copies[0] != nil && copies[0] == copies[1])])
    }

    /// Does what `vault check` does.
    private static func check(_ store: OpenVault) throws {
        let check = VaultCheck(store)
        while try check.step() {}
        let kinds = Set(check.report.problems.map(\.kind.rawValue)).sorted()
        guard kinds.isEmpty else { throw Refusal("check", error: kinds.joined(separator: " ")) }
    }

    private static func step<T: ~Copyable>(_ name: String, _ body: () throws -> T) throws -> T {
        do { return try body() } catch let error as VaultError { throw Refusal(name, error: "\(error.code.kind)") }
    }
}

extension VectorTest {
    /// Returns a field of this test, or else of the test that it is made from.
    func inherited(_ name: String) throws -> JSONValue? {
        if let value = fields[name] { return value }
        return try has("base") ? earlier("base").inherited(name) : nil
    }

    /// Adds what a vault must hold, which an edit that is mended does not change.
    fileprivate func withContent() throws -> VectorTest {
        var fields = fields
        for name in ["notes", "drafts"] { fields[name] = try inherited(name) }
        return VectorTest(file: file, group: group, fields: fields)
    }
}
