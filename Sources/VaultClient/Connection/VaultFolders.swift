// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import CSystemShims
internal import Glibc
internal import VaultFormat

/// `VaultFolders` refuses to write into a vault's folder: what lies there and is not the vault's goes with no backup,
/// is not sealed, and may stand in the vault's way.
enum VaultFolders {
    /// Refuses a path inside a vault's folder.
    ///
    /// - Parameters:
    ///   - path: of what is to be made; it need not be there yet.
    ///   - vault: the vault that is spoken to, whose inner folders may be mounted elsewhere.
    /// - Throws: `.usage` when a folder above it is a vault's, whatever links or mounts lead there.
    static func refuseInside(_ path: String, of vault: VaultLocation? = nil) throws(ClientFailure) {
        var folder = nearest(path)
        guard folder >= 0 else { return }
        defer { close(folder) }
        let inner = vault.map(innerFolders) ?? []
        var here = identity(folder)
        while true {
            if holdsHeader(folder) || here.map({ inner.contains($0) }) == true {
                throw .usage(
                    "\(VisibleText.escaped(path)) is inside a vault's folder: nothing else belongs there",
                    hint: "name a place outside of the vault")
            }
            let above = unsafe openat(folder, "..", Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
            guard above >= 0 else { return }
            close(folder)
            folder = above
            // The root is above itself.
            let next = identity(above)
            guard next != here else { return }
            here = next
        }
    }

    /// O_PATH, which Glibc shows only to C: a folder above may be one that we can go through and not read.
    private static let pathOnly: Int32 = 0o10000000

    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    private static func identity(_ folder: Int32) -> Identity? {
        var status = stat()
        guard unsafe fstat(folder, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// Returns the folder that is there already and that all else of the path would be made in, or the path itself.
    private static func nearest(_ path: String) -> Int32 {
        var part = Substring(path)
        while true {
            let opened = unsafe open(
                part.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : String(part), Self.pathOnly | O_DIRECTORY | O_CLOEXEC
            )
            if opened >= 0 || part.isEmpty { return opened }
            part = part.lastIndex(of: "/").map { part[..<$0] } ?? ""
        }
    }

    /// Returns whether one of the two copies of a vault's header lies there.
    private static func holdsHeader(_ folder: Int32) -> Bool {
        ["header", "header.2"].contains { name in
            let file = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            guard file >= 0 else { return false }
            defer { close(file) }
            var magic = [UInt8](repeating: 0, count: 4)
            let got = unsafe magic.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, 4, 0) }
            return got == 4 && (magic.elementsEqual("VLT1".utf8) || magic.elementsEqual("VLC1".utf8))
        }
    }

    /// Returns `drafts`, `objects` and the folders in it: mounted elsewhere, nothing above them says whose they are.
    private static func innerFolders(_ vault: VaultLocation) -> Set<Identity> {
        let base = String(decoding: vault.directory, as: UTF8.self)
        let names =
            ["", "/drafts", "/objects", "/objects/quarantine"]
            + (UInt8.min...UInt8.max).map { "/objects/" + hexadecimal([$0]) }
        return Set(
            names.compactMap { name in
                var status = stat()
                guard unsafe stat(base + name, &status) == 0 else { return nil }
                return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
            })
    }
}
