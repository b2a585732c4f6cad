// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc
import Testing
import VaultTesting

@testable import VaultClient

struct EditorFolderTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_uid == getuid() ? status.st_mode & 0o7777 : nil
    }

    private func names(_ path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    private func isLocked(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    private func failure(_ folder: EditFolder, _ name: String) -> ExitCode? {
        do throws(ClientFailure) {
            _ = try folder.read(name: name)
            return nil
        } catch {
            return error.outcome.code
        }
    }

    @Test func G02theFolderAndItsFileAreOursAloneAndInMemory() throws {
        let folder = try EditFolder.make(allowsDisk: false)
        defer { folder.remove() }
        try folder.create(name: "note.md", text: Array("text".utf8))
        #expect(mode(folder.path) == 0o700)
        #expect(mode(folder.path + "/note.md") == 0o600)
        #expect(EditFolder.isUsable(folder.path))
        #expect(folder.path.split(separator: "/").last?.hasPrefix("edit-") == true)
        #expect(folder.path.split(separator: "-").last?.count == 32)
        #expect(try folder.read(name: "note.md") == Array("text".utf8))
        #expect(try folder.read(name: "other.md") == nil)
    }

    @Test func G02whatLiesThereIsNotWrittenOver() throws {
        let folder = try EditFolder.make(allowsDisk: false)
        defer { folder.remove() }
        try folder.create(name: "note.md", text: [0x61])
        #expect(throws: ClientFailure.self) { try folder.create(name: "note.md", text: [0x62]) }
        let victim = folder.path + "/victim"
        unsafe symlink(victim, folder.path + "/link.md")
        #expect(throws: ClientFailure.self) { try folder.create(name: "link.md", text: [0x62]) }
        #expect(unsafe access(victim, F_OK) != 0)
        #expect(try folder.read(name: "note.md") == [0x61])
    }

    @Test func aDiskAndANameThatEditorsMisreadAreNotUsable() throws {
        let temporary = TemporaryFolder()
        #expect(!EditFolder.isUsable("/proc"))
        #expect(!EditFolder.isUsable(temporary.path + "/missing"))
        for name in ["a b", "a,b", "a|b", "a\"b", "a'b", "a\\b", "a%b", "a$b", "é"] {
            let path = "/dev/shm/vault-test-\(getpid())-" + name
            unsafe mkdir(path, 0o700)
            #expect(!EditFolder.isUsable(path), "\(name)")
            unsafe rmdir(path)
        }
    }

    @Test func whatIsNoFileOfOursIsNotRead() throws {
        let folder = try EditFolder.make(allowsDisk: false)
        defer { folder.remove() }
        unsafe symlink("/etc/passwd", folder.path + "/link")
        unsafe mkfifo(folder.path + "/pipe", 0o600)
        unsafe mkdir(folder.path + "/folder", 0o700)
        for name in ["link", "pipe", "folder"] { #expect(failure(folder, name) == .failSafe, "\(name)") }
        try folder.create(name: "large", text: [])
        unsafe truncate(folder.path + "/large", 16 << 20)
        #expect(try folder.read(name: "large")?.count == 16 << 20)
        unsafe truncate(folder.path + "/large", 16 << 20 + 1)
        #expect(failure(folder, "large") == .usage)
    }

    @Test func allThatAnEditorLeftIsRemovedAndNoLinkIsFollowed() throws {
        let outside = TemporaryFolder()
        outside.write([0x61], to: "kept")
        let folder = try EditFolder.make(allowsDisk: false)
        try folder.create(name: "note.md", text: [0x61])
        unsafe mkdir(folder.path + "/vAbc", 0o700)
        unsafe mkdir(folder.path + "/vAbc/deeper", 0o700)
        for name in ["note.md~", ".note.md.swp", "vAbc/0", "vAbc/deeper/1"] {
            close(unsafe creat(folder.path + "/" + name, 0o600))
        }
        unsafe symlink(outside.path, folder.path + "/vAbc/link")
        unsafe symlink(outside.path + "/kept", folder.path + "/link")
        folder.remove()
        #expect(mode(folder.path) == nil)
        #expect(names(outside.path) == ["kept"])
    }

    @Test func aFolderThatIsTooDeepStopsNothing() throws {
        let folder = try EditFolder.make(allowsDisk: false)
        var path = folder.path
        for _ in 0..<40 {
            path += "/d"
            unsafe mkdir(path, 0o700)
        }
        try folder.create(name: "note.md", text: [0x61])
        folder.remove()
        #expect(names(folder.path) == ["d"], "the text is gone anyway")
        for _ in 0..<41 {
            unsafe rmdir(path)
            path = String(path[..<path.lastIndex(of: "/")!])
        }
        #expect(mode(folder.path) == nil)
    }

    @Test func G02theLockIsFreeOnlyWhenClientAndEditorAreGone() throws {
        var folder: EditFolder? = try EditFolder.make(allowsDisk: false)
        let path = folder!.path
        #expect(isLocked(path))
        let editor = try EditorProcess(["/bin/sleep", "60"], environment: [], holding: folder!.descriptor)
        folder = nil
        #expect(isLocked(path), "the editor holds it")
        #expect(editor.end(by: SIGTERM).signal == SIGTERM)
        #expect(!isLocked(path))
        unsafe rmdir(path)
    }
}
