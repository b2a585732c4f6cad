// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `FolderRemoval` removes a folder with all in it, without following a link. Every name is reached from the open
/// folder above it.
enum FolderRemoval {
    private static let depthMax = 100
    /// Its writer may need a moment to notice that the work is over.
    private static let attemptCount = 100

    /// Removes a folder, with several attempts while something is still written into it; returns whether it is gone.
    @discardableResult
    static func remove(_ name: String, in parent: Int32) -> Bool {
        for _ in 0..<attemptCount {
            empty(name, in: parent, depth: 0)
            if unsafe unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return true }
            guard errno == ENOTEMPTY || errno == EEXIST else { return false }
            usleep(50_000)
        }
        return false
    }

    private static func empty(_ name: String, in parent: Int32, depth: Int) {
        guard depth < depthMax else { return }
        let folder = unsafe vs_open_at(parent, name, O_RDONLY | O_DIRECTORY, 0)
        guard folder >= 0 else { return }
        defer { close(folder) }
        for entry in names(in: folder) {
            let isRemoved = unsafe entry.withUnsafeBufferPointer { unsafe unlinkat(folder, $0.baseAddress!, 0) } == 0
            guard !isRemoved, errno == EISDIR || errno == EPERM else { continue }
            let inner = String(decoding: entry.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            empty(inner, in: folder, depth: depth + 1)
            _ = unsafe entry.withUnsafeBufferPointer { unsafe unlinkat(folder, $0.baseAddress!, AT_REMOVEDIR) }
        }
    }

    /// Returns all names first: what is removed while a directory is read may make it skip others.
    private static func names(in folder: Int32) -> [[CChar]] {
        let own = unsafe vs_open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0)
        guard own >= 0 else { return [] }
        guard let listing = unsafe fdopendir(own) else {
            close(own)
            return []
        }
        defer { unsafe closedir(listing) }
        var names: [[CChar]] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
            names.append(name.map { CChar(bitPattern: $0) } + [0])
        }
        return names
    }
}
