// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// `Programs` finds our other programs, beside this one and never through PATH.
public enum Programs {
    /// Returns the path of a program of ours, after a look at who could have changed it.
    ///
    /// - Throws: `.failSafe` when its directory or file may be written by others, or belongs to another user than root
    ///   and us.
    public static func path(of name: String) throws(ClientFailure) -> String {
        let folder = try ownDirectory()
        try check(folder, isDirectory: true)
        let path = (folder == "/" ? "" : folder) + "/" + name
        try check(path, isDirectory: false)
        return path
    }

    private static func ownDirectory() throws(ClientFailure) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe readlink("/proc/self/exe", raw.baseAddress!.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard count > 0, count < buffer.count, let path = String(validating: buffer[0..<count], as: UTF8.self),
            let slash = path.lastIndex(of: "/")
        else { throw ClientFailure(.other, "cannot determine where this program is", hint: "is /proc mounted?") }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func check(_ path: String, isDirectory: Bool) throws(ClientFailure) {
        let name = VisibleText.escaped(path)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw ClientFailure(
                .other, "\(name) is missing", hint: "install all of vault's programs into one directory")
        }
        guard status.st_mode & S_IFMT == (isDirectory ? S_IFDIR : S_IFREG) else {
            throw ClientFailure(.failSafe, "\(name) is not a plain \(isDirectory ? "directory" : "file")")
        }
        guard status.st_uid == 0 || status.st_uid == getuid() else {
            throw ClientFailure(
                .failSafe, "\(name) belongs to another user, who could change it",
                hint: "install vault as root or as yourself")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw ClientFailure(
                .failSafe, "\(name) can be changed by other users", hint: "chmod go-w " + ShellWord.quoted(path))
        }
    }
}
