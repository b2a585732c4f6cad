// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// The process at the other end of a socket.
public enum AgentProcess {
    /// Its number, as the kernel knows it; nil when it is not of our user.
    public static func pid(of descriptor: Int32) -> Int32? {
        var pid: Int32 = 0
        var uid: uid_t = 0
        guard unsafe vs_peer(descriptor, &pid, &uid) == 0, uid == getuid(), pid > 1 else { return nil }
        return pid
    }

    /// Whether it is stopped, by a signal or a debugger (proc(5)).
    public static func isStopped(_ pid: Int32) -> Bool {
        let descriptor = unsafe open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let bytes = try? FileBytes.read(descriptor, max: 4096) else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        guard let end = line.lastIndex(of: ")") else { return false }
        let state = line[end...].dropFirst(2).first
        return state == "T" || state == "t"
    }

    /// How long an agent may be silent before somebody who waits for it is told.
    public static let silenceMilliseconds: Int32 = 2000
}
