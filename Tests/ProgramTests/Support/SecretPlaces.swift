// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// Everywhere that a secret could have been left: files, core files, histories and logs, and what all processes were started with.
struct SecretPlaces {
    private let root: String
    private let begun: timespec
    private let before: Set<String>

    /// Shared places where others write too: only what is new there, or a log that has grown, is looked at.
    private static let temporary = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/var/crash", "/var/lib/systemd/coredump", "/var/lib/apport/coredump"]
    private static let logs = ["/var/log"]

    init(root: String) {
        self.root = root
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        begun = now
        before = Set(Self.temporary.flatMap(Self.entries))
    }

    /// What holds one of the patterns.
    func holding(_ patterns: [[UInt8]]) -> [String] { files(holding: patterns) + processes(holding: patterns) }

    private func files(holding patterns: [[UInt8]]) -> [String] {
        let new = Self.temporary.flatMap(Self.entries).filter { !before.contains($0) && isOurs($0) }
        let places = [root] + new + Self.logs
        return places.flatMap { place in
            ([""] + (FileManager.default.subpaths(atPath: place) ?? []).map { "/" + $0 }).map { place + $0 }
        }.filter { path in
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isChanged(status), status.st_size < 1 << 28 else {
                return false
            }
            guard let bytes = try? ProcFile.bytes(path) else { return false }
            return patterns.contains { ByteSearch.contains($0, in: bytes) }
        }
    }

    /// Other tests make worlds of their own at the same time, with the same password in files of theirs.
    private func isOurs(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return path != root && !["vault-test.", "vault-", "sealed-", "inspect-", "TemporaryDirectory."].contains { name.hasPrefix($0) }
    }

    private func isChanged(_ status: stat) -> Bool { status.st_mtim.tv_sec >= begun.tv_sec }

    private func processes(holding patterns: [[UInt8]]) -> [String] {
        Self.entries(of: "/proc").filter { Int($0.dropFirst(6)) != nil }.flatMap { process in
            ["cmdline", "environ", "comm"].map { process + "/" + $0 }.filter { path in
                guard let bytes = try? ProcFile.bytes(path) else { return false }
                return patterns.contains { ByteSearch.contains($0, in: bytes) }
            }
        }
    }

    private static func entries(of folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { folder + "/" + $0 }
    }
}
