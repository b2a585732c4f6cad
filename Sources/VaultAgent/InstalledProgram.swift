// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `InstalledProgram` finds our other programs, which lie beside this one and nowhere else: what they are given they
/// can only answer (docs/decisions/0009).
enum InstalledProgram {
    /// Returns the path of a program of ours, after a look at who could have changed it.
    ///
    /// - Returns: nil when it is not there, or it or its folder belongs to somebody else than root and us, or can be
    ///   written by others.
    static func path(of name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe readlink("/proc/self/exe", raw.baseAddress!.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard count > 0, count < buffer.count, let own = String(validating: buffer[0..<count], as: UTF8.self),
            let slash = own.lastIndex(of: "/")
        else {
            return nil
        }
        let folder = String(own[..<slash])
        let path = folder + "/" + name
        guard isOurs(folder.isEmpty ? "/" : folder, S_IFDIR), isOurs(path, S_IFREG) else { return nil }
        return path
    }

    private static func isOurs(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == kind
            && (status.st_uid == 0 || status.st_uid == getuid())
            && status.st_mode & 0o022 == 0
    }
}
