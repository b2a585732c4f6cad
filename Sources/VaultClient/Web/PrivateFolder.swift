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
        guard MemoryFolder.holds("/dev/shm") else { return nil }
        let folder = prefix(purpose) + (try WebPlace.randomText(12))
        return unsafe mkdir(folder, 0o700) == 0 ? folder : nil
    }

    /// Makes the only one for a purpose, empty; nil while another process has it, and where somebody else took its
    /// name.
    static func only(_ purpose: String) -> String? {
        guard MemoryFolder.holds("/dev/shm") else { return nil }
        let folder = prefix(purpose) + "only"
        if unsafe mkdir(folder, 0o700) != 0 {
            // What a process that was killed has left, unless it still holds it.
            var status = stat()
            guard errno == EEXIST, unsafe lstat(folder, &status) == 0, status.st_uid == getuid(),
                status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o077 == 0, isFree(folder)
            else { return nil }
            remove(folder)
            guard unsafe mkdir(folder, 0o700) == 0 else { return nil }
        }
        // Held until this process ends.
        return isFree(folder) ? folder : nil
    }

    /// Removes the only one for a purpose, when nobody has it any more.
    static func removeIfLeft(_ purpose: String) {
        let folder = prefix(purpose) + "only"
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_uid == getuid() else { return }
        // A process that was just killed holds it for a moment.
        for _ in 0..<20 {
            if let descriptor = held(folder) {
                remove(folder)
                close(descriptor)
                return
            }
            usleep(10_000)
        }
    }

    private static func isFree(_ folder: String) -> Bool { held(folder) != nil }

    /// Takes a folder that nobody holds, as long as the descriptor is open.
    private static func held(_ folder: String) -> Int32? {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Removes one with all that is in it.
    static func remove(_ folder: String) {
        let silence = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(silence) }
        let pid = try? ChildProgram.startApart("/bin/rm", ["-rf", "--", folder], input: silence, output: silence)
        if let pid { _ = ChildProgram.wait(for: pid) }
    }
}
