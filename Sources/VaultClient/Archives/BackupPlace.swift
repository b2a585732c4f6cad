// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import VaultFormat

/// `BackupPlace` is a backup's folder, as the client sees it: names, and the headers that are readable without a key.
enum BackupPlace {
    struct Snapshot: Equatable {
        let name: String
        /// RFC 3339, from the name; nil for an invalid date.
        let made: String?
        /// Of the vault's key at that time; nil when the file is damaged.
        let epoch: UInt32?
    }

    /// Opens the folder of a backup without following a link.
    ///
    /// - Throws: `.notFound`, `.failSafe` for a link.
    static func open(_ path: String) throws(ClientFailure) -> Int32 {
        let folder = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder < 0 else { return folder }
        let name = VisibleText.escaped(path)
        switch errno {
        case ENOENT:
            throw ClientFailure(.notFound, "there is no folder \(name)", hint: "vault backup create DIR makes one")
        case ELOOP:
            throw ClientFailure(.failSafe, "\(name) is a symbolic link", hint: "name the folder that it points to")
        case ENOTDIR: throw .usage("\(name) is not a folder", hint: "an archive is a file: vault backup restore FILE")
        default: throw ClientFailure(.other, "cannot open \(name): \(SystemError.text(errno))")
        }
    }

    /// Returns all snapshots, the oldest first. Only names of ours are looked at, and no link is followed.
    static func snapshots(in folder: Int32) -> [Snapshot] {
        let snapshots = unsafe vs_open_at(folder, "snapshots", O_RDONLY | O_DIRECTORY, 0)
        guard snapshots >= 0 else { return [] }
        guard let stream = unsafe fdopendir(snapshots) else {
            close(snapshots)
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [SnapshotName] = []
        while let entry = unsafe readdir(stream) {
            let text = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name = SnapshotName(text) { names.append(name) }
        }
        return names.sorted().map { Snapshot(name: $0.text, made: made($0.text), epoch: epoch($0.text, in: snapshots)) }
    }

    private static func made(_ name: String) -> String? {
        let digits = Array(name.utf8).map { Int($0) - 0x30 }
        func two(_ at: Int) -> Int { digits[at] * 10 + digits[at + 1] }
        guard (1...12).contains(two(4)), (1...31).contains(two(6)), two(9) < 24, two(11) < 60, two(13) < 60 else {
            return nil
        }
        func part(_ range: Range<Int>) -> String { String(decoding: Array(name.utf8)[range], as: UTF8.self) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z"
    }

    private static func epoch(_ name: String, in folder: Int32) -> UInt32? {
        let file = unsafe vs_open_at(folder, name, O_RDONLY | O_NONBLOCK, 0)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: SnapshotFile.headByteCountMax)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, 0) }
        guard got > 0, let snapshot = try? SnapshotFile(parsing: Array(bytes[0..<got])),
            let header = try? UnverifiedHeader(parsing: snapshot.header)
        else {
            return nil
        }
        return header.epoch
    }
}
