// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// The process at the other end of a socket.
enum AgentProcess {
    /// Its number, as the kernel knows it; nil when it is not of our user.
    static func pid(of descriptor: Int32) -> pid_t? {
        var pid: pid_t = 0
        var uid: uid_t = 0
        guard unsafe vs_peer(descriptor, &pid, &uid) == 0, uid == getuid(), pid > 1 else { return nil }
        return pid
    }
}
