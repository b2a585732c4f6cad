// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

extension AgentProcess {
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
