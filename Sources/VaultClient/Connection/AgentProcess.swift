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

    /// Whether it is stopped, by a signal or a debugger (proc(5)).
    static func isStopped(_ pid: pid_t) -> Bool {
        guard let line = MachineChecks.line("/proc/\(pid)/stat"), let end = line.lastIndex(of: ")") else { return false }
        let state = line[end...].dropFirst(2).first
        return state == "T" || state == "t"
    }

    /// How long an agent may be silent before somebody who waits for it is told.
    static let silenceMilliseconds: Int32 = 2000

    /// Tells that it does not answer, and what can be done.
    static func sayItIsSilent(_ pid: pid_t) {
        if isStopped(pid) {
            Streams.say("vault: note: the agent (pid \(pid)) does not answer: it is stopped")
            Streams.say("vault: hint: kill -CONT \(pid) resumes it, vault lock ends it; Ctrl-C quits")
        } else {
            Streams.say("vault: note: the agent (pid \(pid)) has not answered for 2 s; it may be busy")
            Streams.say("vault: hint: wait, or quit with Ctrl-C; kill \(pid) ends it, and what was saved stays")
        }
    }
}
