// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import CSystemShims
internal import Glibc

/// An agent that this process started, and our end of the connection to it.
public struct StartedAgent: ~Copyable {
    private let channel: Channel
    public let pid: Int32

    init(channel: consuming Channel, pid: Int32) {
        self.channel = channel
        self.pid = pid
    }

    /// Its end of the connection.
    public consuming func takeChannel() -> Channel { channel }
}

/// Starts an agent on one end of a socket pair.
public enum AgentLauncher {
    /// The agent's environment: nothing of ours that it does not need, so that no variable can change how it loads or runs.
    /// The bus's address can only lead the agent to a socket by its path (docs/decisions/0007-logind.md).
    private static let inherited = ["HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "DBUS_SYSTEM_BUS_ADDRESS"]

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
