// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ExecArguments
internal import Glibc
internal import SyncProtocol
internal import Sandbox

/// `RcloneGuard` becomes rclone's remote control: a process of this program that confines itself and then runs rclone
/// in its place. Nothing of it depends on what anybody has sent.
///
/// rclone gets an environment that this writes, a configuration that it keeps in memory alone, and a socket that is
/// open already. No argument and no variable holds a secret.
public enum RcloneGuard {
    /// The listening socket, as the service manager's protocol numbers it (sd_listen_fds(3)).
    public static let listener: Int32 = 3

    /// Whether this process was started to be one: its descriptor 3 listens.
    public static var isAskedFor: Bool {
        var (listens, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return unsafe getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0
    }

    /// - `--rc-addr`: without a socket that it is given rclone would listen on a port of this machine.
    /// - Retries are the agent's, which knows what may be tried again.
    private static let arguments = [
        "rclone", "rcd", "--config", "", "--rc-addr", "unix:///nonexistent/notevault", "--rc-no-auth", "--rc-serve",
        "--retries", "1", "--low-level-retries", "1", "--contimeout", "15s",
        "--timeout", "60s", "--cache-dir", "/nonexistent", "--temp-dir", "/nonexistent", "--log-level", "ERROR",
        "--buffer-size", "0", "--use-cookies=false", "--ask-password=false",
    ]

    /// Runs the program; returns only where that cannot be done.
    public static func run(_ program: String, parent: Int32) {
        let opened = unsafe open(program, RcloneProcess.pathAlone | O_CLOEXEC)
        guard opened > listener, Sandbox.enter(forProgram: opened, of: parent) else { return }
        // It keeps its one descriptor.
        let flags = fcntl(listener, F_GETFD)
        _ = fcntl(listener, F_SETFD, flags & ~FD_CLOEXEC)
        let environment = [
            "LISTEN_FDS=1", "LISTEN_PID=\(getpid())", "HOME=/nonexistent", "TMPDIR=/nonexistent", "PATH=/nonexistent",
            // A panic prints no frames; memory is given back sooner.
            "GOTRACEBACK=none", "GOMEMLIMIT=80MiB", "GOGC=50",
        ]
        unsafe CStrings.with(arguments) { arguments in
            unsafe CStrings.with(environment) { environment in _ = unsafe execve(program, arguments, environment) }
        }
    }
}
