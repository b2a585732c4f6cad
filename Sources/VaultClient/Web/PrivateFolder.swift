// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import CSystemShims
internal import Glibc

/// `PrivateFolder` is a folder of this account in memory, for what must not reach a disk.
enum PrivateFolder {
    /// How the names of all folders for one purpose begin.
    static func prefix(_ purpose: String) -> String { "/dev/shm/notevault-\(purpose)-\(getuid())-" }

    /// Makes one; nil where there is no memory for files.
    static func make(_ purpose: String) throws(ClientFailure) -> String? {
        let folder = prefix(purpose) + (try WebPlace.randomText(12))
        return unsafe mkdir(folder, 0o700) == 0 ? folder : nil
    }

    /// Removes one with all that is in it.
    static func remove(_ folder: String) {
        let silence = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(silence) }
        let pid = try? ChildProgram.startApart("/bin/rm", ["-rf", "--", folder], input: silence, output: silence)
        if let pid { _ = ChildProgram.wait(for: pid) }
    }
}
