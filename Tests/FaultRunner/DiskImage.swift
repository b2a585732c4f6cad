// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// Files and folders as a disk holds them: contents by inode, and names that lead to them.
struct DiskImage {
    typealias Inode = UInt64

    private(set) var contents: [Inode: [UInt8]] = [:]
    private(set) var folders: [Inode: [[UInt8]: Inode]] = [:]
    let root: Inode

    /// What is below a folder now.
    init(of folder: URL) throws {
        root = try Self.inode(folder)
        try read(folder, root)
    }

    private mutating func read(_ folder: URL, _ inode: Inode) throws {
        folders[inode] = [:]
        for entry in try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        {
            let found = try Self.inode(entry)
            folders[inode]?[Array(entry.lastPathComponent.utf8)] = found
            if try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
                try read(entry, found)
            } else {
                contents[found] = Array(try Data(contentsOf: entry))
            }
        }
    }

    private static func inode(_ file: URL) throws -> Inode {
        var status = stat()
        guard unsafe lstat(file.path, &status) == 0 else { throw Scene.Failure(words: "a file went away") }
        return UInt64(status.st_ino)
    }

    /// What the call did, as far as it can be done here: a name that was lost cannot be moved.
    mutating func apply(_ call: RecordedCall) {
        switch call {
        case .write(let inode, let offset, let bytes): write(inode, offset, bytes)
        case .truncate(let inode, let size):
            let now = contents[inode] ?? []
            contents[inode] =
                size <= now.count ? Array(now[..<size]) : now + [UInt8](repeating: 0, count: size - now.count)
        case .file(let inode, let folder, let name):
            contents[inode] = []
            folders[folder]?[name] = inode
        case .folder(let inode, let folder, let name):
            folders[inode] = [:]
            folders[folder]?[name] = inode
        case .link(let inode, let folder, let name): folders[folder]?[name] = inode
        case .rename(let folder, let name, let newFolder, let newName):
            guard let inode = folders[folder]?[name], folders[newFolder] != nil else { return }
            folders[folder]?[name] = nil
            folders[newFolder]?[newName] = inode
        case .remove(let folder, let name): folders[folder]?[name] = nil
        case .unnamed(let inode): contents[inode] = []
        case .sync, .syncAll, .mark: break
        }
    }

    private mutating func write(_ inode: Inode, _ offset: Int, _ bytes: [UInt8]) {
        var now = contents[inode] ?? []
        if now.count < offset + bytes.count { now += [UInt8](repeating: 0, count: offset + bytes.count - now.count) }
        now.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        contents[inode] = now
    }

    /// The same for two images of the same files.
    var fingerprint: Int {
        var hasher = Hasher()
        visit(root, []) { path, content in
            hasher.combine(path)
            hasher.combine(content)
        }
        return hasher.finalize()
    }

    /// Makes the files.
    func put(into target: URL) throws {
        try FileManager.default.createDirectory(
            at: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var failure: (any Error)?
        visit(root, []) { path, content in
            let file = target.appending(path: path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/"))
            do {
                guard let content else {
                    return try FileManager.default.createDirectory(
                        at: file, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                }
                try Data(content).write(to: file)
                unsafe chmod(file.path, 0o600)
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Folders before what is in them, names in order; content nil for a folder.
    private func visit(_ folder: Inode, _ path: [[UInt8]], _ body: ([[UInt8]], [UInt8]?) -> Void) {
        for (name, inode) in (folders[folder] ?? [:]).sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if folders[inode] != nil {
                body(path + [name], nil)
                visit(inode, path + [name], body)
            } else {
                body(path + [name], contents[inode] ?? [])
            }
        }
    }
}
