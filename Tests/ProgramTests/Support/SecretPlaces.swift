// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// Everywhere that a secret could have been left: files, core files, histories and logs, and what all processes were
/// started with.
struct SecretPlaces {
    private let root: String
    private let begun: timespec
    private let before: Set<String>

    /// Shared places where others write too: only what is new there, or a log that has grown, is looked at.
    private static let temporary = [
        "/tmp", "/var/tmp", "/dev/shm", "/run", "/var/crash", "/var/lib/systemd/coredump", "/var/lib/apport/coredump",
    ]
    private static let logs = ["/var/log"]

    init(root: String) {
        self.root = root
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        begun = now
        before = Set(Self.temporary.flatMap(Self.entries))
    }

    /// What holds one of the patterns.
    ///
    /// - Parameter shared: other tests have it in files and processes of their own; it is looked for where only this
    ///   one's are.
    func holding(_ patterns: [[UInt8]], shared: [UInt8]) -> [String] {
        let new = Self.temporary.flatMap(Self.entries).filter { !before.contains($0) && $0 != root }
        let others = new.filter { path in
            Self.otherTests.contains { path.split(separator: "/").last?.hasPrefix($0) == true }
        }
        let everywhere = [root] + new + Self.logs
        let ours = everywhere.filter { !others.contains($0) }
        let found =
            files(in: everywhere, holding: patterns) + files(in: ours, holding: [shared])
            + processes(holding: patterns + [shared])
        return Set(found).sorted()
    }

    /// Folders that tests make; programs of ours do not.
    private static let otherTests = ["vault-test.", "TemporaryDirectory.", "xdg", "swift"]

    private func files(in places: [String], holding patterns: [[UInt8]]) -> [String] {
        places.flatMap { place in
            ([""] + (FileManager.default.subpaths(atPath: place) ?? []).map { "/" + $0 }).map { place + $0 }
        }.filter { path in
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isChanged(status),
                status.st_size < 1 << 28
            else {
                return false
            }
            guard let bytes = try? ProcFile.bytes(path) else { return false }
            return patterns.contains { ByteSearch.contains($0, in: bytes) }
        }
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
