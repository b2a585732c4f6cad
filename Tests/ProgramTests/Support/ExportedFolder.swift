// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// What lies in a folder, by names as bytes: two that differ only in how a letter is composed are two.
struct ExportedFolder {
    struct Entry {
        let path: [UInt8]
        let mode: mode_t
        let isFolder: Bool
        let content: [UInt8]
        var text: String { String(decoding: content, as: UTF8.self) }
        var name: String { String(decoding: path.split(separator: 0x2F).last ?? [], as: UTF8.self) }
    }

    let entries: [Entry]

    init(_ path: String) throws {
        let listed = try Command.run(["/usr/bin/find", path, "-mindepth", "1", "-printf", "%P\\0"], environment: [:])
        entries = try listed.out.split(separator: 0).map { bytes in
            let name = Array(path.utf8) + [0x2F] + bytes
            var status = stat()
            let isThere = unsafe (name + [0]).withUnsafeBufferPointer { raw in
                unsafe lstat(UnsafeRawPointer(raw.baseAddress!).assumingMemoryBound(to: CChar.self), &status) == 0
            }
            guard isThere else { throw ProcFile.Unreadable(number: errno) }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            return Entry(
                path: Array(bytes), mode: status.st_mode & 0o7777, isFolder: isFolder,
                content: isFolder
                    ? [] : Array(try Data(contentsOf: URL(fileURLWithPath: String(decoding: name, as: UTF8.self)))))
        }
    }

    var files: [Entry] { entries.filter { !$0.isFolder } }
    var notes: [Entry] { files.filter { $0.name.hasSuffix(".md") } }

    func file(_ path: String) -> Entry? { files.first { $0.path == Array(path.utf8) } }
}

extension VaultWorld {
    /// Exports in the clear, to a path in this world, and requires success.
    @discardableResult
    func export(_ format: String, _ name: String, _ options: String...) throws -> Finished {
        try require(vault(["export", format, "-o", path(name), "--plaintext"] + options))
    }

    func exists(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(path(name), &status) == 0
    }

    /// Names in this world's folder that an unfinished export would have.
    func parts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.contains(".part-") }
    }

    func attach(_ note: String, _ name: String, _ bytes: [UInt8]) throws {
        try require(vault(["attach", "add", note, "-", "--name=" + name], input: bytes))
    }
}
