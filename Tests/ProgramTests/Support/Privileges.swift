// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// What this run of the tests may do. Some attacks can only be staged by root.
enum Privileges {
    static var isRoot: Bool { getuid() == 0 }
    /// A user without privileges: `nobody`.
    static let otherUser: uid_t = 65534

    /// A command as run by that user, with no group of ours.
    static func asOtherUser(_ arguments: [String]) -> [String] {
        ["/usr/bin/setpriv", "--reuid=\(otherUser)", "--regid=\(otherUser)", "--clear-groups", "--"] + arguments
    }

    static var canBeOtherUser: Bool { isRoot && Programs.system("setpriv") != nil }

    /// Whether a small tmpfs can be mounted: tests of full and read-only disks need one, since root may write
    /// everywhere else.
    static let canMount: Bool = {
        guard isRoot, let disk = try? SmallDisk(byteCount: 65536) else { return false }
        return disk.isMounted
    }()
}

/// A tmpfs of a few bytes at a place of its own; gone with the value.
final class SmallDisk {
    let path: String
    let isMounted: Bool

    init(byteCount: Int) throws {
        var template = Array("/tmp/vault-disk.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw VaultWorld.Failed(description: "no temporary directory") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        isMounted = unsafe mount("tmpfs", path, "tmpfs", UInt(6), "size=\(byteCount),mode=0700") == 0
    }

    func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)
    }

    func makeReadOnly() -> Bool { unsafe mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 }

    func grow(byteCount: Int) -> Bool {
        unsafe mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(byteCount)") == 0
    }

    deinit {
        // Lazily: an agent that a failed test left behind must not keep the mount.
        if isMounted { unsafe umount2(path, 2) }
        unsafe rmdir(path)
    }
}
