// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc

/// `StartedAgent` is an agent that this process started, and our end of the connection to it.
public struct StartedAgent: ~Copyable {
    private let channel: Channel
    public let pid: Int32

    init(channel: consuming Channel, pid: Int32) {
        self.channel = channel
        self.pid = pid
    }

    /// Returns our end of the connection.
    public consuming func takeChannel() -> Channel { channel }
}

/// `AgentLauncher` starts an agent on one end of a socket pair.
public enum AgentLauncher {
    /// The agent's environment: nothing of ours that it does not need, so that no variable can change how it loads or
    /// runs. The bus's address can only lead the agent to a socket by its path (docs/decisions/0007-logind.md).
    private static let inherited = ["HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "DBUS_SYSTEM_BUS_ADDRESS"]

    /// Starts an agent, and returns this process's end of the socket pair with the agent's process ID.
    ///
    /// - Throws: `.failSafe` for an agent that others could have changed, `.other` when it does not start.
    public static func start() throws(ClientFailure) -> StartedAgent {
        let path = try Programs.path(of: "vault-agent")
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SystemError.failure("cannot make a socket pair", errno)
        }
        let channel = Channel(taking: ends[0])
        defer { close(ends[1]) }
        var pid: Int32 = 0
        let environment = inherited.compactMap { name in Environment.text(name).map { name + "=" + $0 } }
        let started = unsafe CStrings.with(["vault-agent"]) { arguments in
            unsafe CStrings.with(environment) { variables in
                unsafe vs_spawn_agent(path, arguments, variables, ends[1], &pid)
            }
        }
        guard started == 0 else {
            throw SystemError.failure("cannot start \(VisibleText.escaped(path))", errno)
        }
        return StartedAgent(channel: channel, pid: pid)
    }

    /// Waits for an agent of our own to end, so that the vault is free when this command is over.
    public static func waitForEnd(of pid: Int32) {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }
}

/// `AgentProcess` is the process at the other end of a socket.
public enum AgentProcess {
    /// Returns its number, as the kernel knows it; nil when it is not of our user.
    public static func pid(of descriptor: Int32) -> Int32? {
        var pid: Int32 = 0
        var uid: uid_t = 0
        guard unsafe vs_peer(descriptor, &pid, &uid) == 0, uid == getuid(), pid > 1 else { return nil }
        return pid
    }

    /// Returns whether it is stopped, by a signal or a debugger (proc(5)).
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
