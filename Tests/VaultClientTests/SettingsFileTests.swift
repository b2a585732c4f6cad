// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc
import Testing
import VaultTesting

@testable import VaultClient

/// Who may have written the settings, and where they may lie (ThreatModel A15).
struct SettingsFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/config.toml" }
    private var file: SettingsFile { SettingsFile(path: path) }

    private func code(_ vault: String? = nil) -> ExitCode? {
        do throws(ClientFailure) {
            _ = try file.read(vaultDirectory: vault.map { Array($0.utf8) })
            return nil
        } catch {
            return error.outcome.code
        }
    }

    @Test func aMissingFileIsNoFailure() throws { #expect(try file.read(vaultDirectory: nil) == nil) }

    @Test(arguments: [0o600, 0o644, 0o400] as [mode_t])
    func aFileThatOthersCannotWriteIsRead(_ mode: mode_t) throws {
        folder.write(Array("color = \"never\"".utf8), to: "config.toml")
        unsafe chmod(path, mode)
        #expect(try file.read(vaultDirectory: nil)?.count == 15)
    }

    @Test(arguments: [0o620, 0o602, 0o666] as [mode_t])
    func aFileThatOthersMayWriteIsRefused(_ mode: mode_t) {
        folder.write([0x0A], to: "config.toml")
        unsafe chmod(path, mode)
        #expect(code() == .failSafe)
    }

    @Test func aFileOfAnotherUserIsRefused() {
        guard getuid() == 0 else { return }
        folder.write([0x0A], to: "config.toml")
        unsafe chown(path, 65534, 65534)
        #expect(code() == .failSafe)
    }

    @Test func whatIsNoPlainFileIsRefused() {
        unsafe mkfifo(path, 0o600)
        #expect(code() == .failSafe)
    }

    @Test func nothingIsReadFromTheVaultsDirectory() throws {
        folder.make("vault")
        folder.make("vault/sub")
        folder.write(Array("editor = \"evil\"".utf8), to: "vault/sub/config.toml")
        // A link in the right place that leads there, and a link to the vault.
        folder.link("config.toml", to: folder.path + "/vault/sub/config.toml")
        folder.link("other", to: folder.path + "/vault")
        #expect(code(folder.path + "/vault") == .failSafe)
        #expect(code(folder.path + "/other") == .failSafe)
        #expect(code(folder.path + "/nothing") == nil)
    }

    @Test func anotherFolderWithTheSameBeginningIsNotTheVault() {
        folder.make("vault")
        folder.make("vault2")
        folder.write([0x0A], to: "vault2/config.toml")
        let other = SettingsFile(path: folder.path + "/vault2/config.toml")
        #expect(throws: Never.self) { try other.read(vaultDirectory: Array((folder.path + "/vault").utf8)) }
    }

    @Test func aLargeFileIsRefused() {
        folder.write([UInt8](repeating: 0x0A, count: SettingsFile.byteCountMax), to: "config.toml")
        #expect(code() == nil)
        folder.write([UInt8](repeating: 0x0A, count: SettingsFile.byteCountMax + 1), to: "config.toml")
        #expect(code() == .other)
    }

    @Test func whatIsWrittenIsOursAloneAndALinkStaysALink() throws {
        folder.make("dotfiles")
        folder.write([0x0A], to: "dotfiles/real.toml")
        unsafe chmod(folder.path + "/dotfiles/real.toml", 0o644)
        folder.link("config.toml", to: folder.path + "/dotfiles/real.toml")
        try SettingsWriter(file: file, vaultDirectory: nil).write("page = \"never\"\n")
        var status = stat()
        unsafe lstat(path, &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
        unsafe stat(path, &status)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(try file.read(vaultDirectory: nil) == Array("page = \"never\"\n".utf8))
        #expect(FolderNames.of(folder.path + "/dotfiles") == ["real.toml"])
    }

    @Test func foldersAreMadeForThisUserAlone() throws {
        let deep = SettingsFile(path: folder.path + "/a/b/config.toml")
        try SettingsWriter(file: deep, vaultDirectory: nil).write("")
        var status = stat()
        unsafe stat(folder.path + "/a/b", &status)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test func nothingIsWrittenIntoTheVaultsDirectory() {
        folder.make("vault")
        let inside = SettingsFile(path: folder.path + "/vault/config.toml")
        #expect(throws: ClientFailure.self) {
            try SettingsWriter(file: inside, vaultDirectory: Array((folder.path + "/vault").utf8)).write("x")
        }
        #expect(FolderNames.of(folder.path + "/vault") == [])
    }
}
