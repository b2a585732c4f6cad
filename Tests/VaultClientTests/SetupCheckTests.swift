// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing
import VaultTesting

@testable import VaultClient

/// What an installation leaves to its user: PATH, zsh's folders, lingering.
struct SetupCheckTests {
    private let folder = TemporaryFolder()

    private func checks(_ searched: [String] = [], shell: String = "/bin/bash") -> SetupChecks {
        var checks = SetupChecks(
            searched: searched.map { folder.path + "/" + $0 }, home: folder.path, shell: shell,
            share: folder.path + "/.local/share", userName: "ada")
        checks.lingering = folder.path + "/linger"
        checks.systemd = folder.path + "/systemd"
        return checks
    }

    private func program(_ name: String) {
        folder.write([], to: name)
        _ = unsafe chmod(folder.path + "/" + name, 0o755)
    }

    @Test func aSecondVaultInPathIsNamed() throws {
        for name in ["one", "two", "three"] { folder.make(name) }
        program("one/vault")
        #expect(checks(["one", "two", "one"]).all.isEmpty)
        // A link to the same program is the same program, and a file that nobody can run is none.
        folder.link("two/vault", to: "../one/vault")
        folder.write([], to: "three/vault")
        #expect(checks(["one", "two", "three"]).all.isEmpty)
        program("three/vault")
        let found = try #require(checks(["one", "two", "three"]).all.first)
        #expect(found.state == .warning && found.message.contains("/three/vault") && found.hint == "type -a vault")
    }

    @Test func zshIsToldWhereTheCompletionIs() throws {
        let zsh = "/usr/bin/zsh"
        #expect(checks().all.isEmpty, "another shell is not asked")
        #expect(try #require(checks(shell: zsh).all.first).message.contains("not installed"))
        folder.make(".local/share/zsh/site-functions")
        folder.write([], to: ".local/share/zsh/site-functions/_vault")
        let missing = try #require(checks(shell: zsh).all.first)
        #expect(
            missing.state == .warning && missing.hint.contains("fpath=(\(folder.path)/.local/share/zsh/site-functions"))
        folder.write(Array("fpath=(~/.local/share/zsh/site-functions $fpath)\ncompinit\n".utf8), to: ".zshrc")
        #expect(checks(shell: zsh).all.first?.state == .ok)
    }

    @Test func aTimerThatEndsWithTheSessionIsNamed() throws {
        #expect(checks().all.isEmpty, "no systemd, no word of it")
        folder.make("systemd")
        folder.make("linger")
        #expect(checks().all.first?.state == .ok)
        folder.make(".config/systemd/user/timers.target.wants")
        folder.link(".config/systemd/user/timers.target.wants/vault-sync.timer", to: "nowhere")
        let found = try #require(checks().all.first)
        #expect(found.state == .warning && found.hint == "loginctl enable-linger")
        folder.write([], to: "linger/ada")
        #expect(checks().all.first?.state == .ok)
    }
}
