// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// Finds programs as a shell does, but without one.
enum ProgramPath {
    /// The full path of a program: a name with a slash as it stands, else the first in PATH that may be run.
    static func find(_ name: String, in path: String? = Environment.text("PATH")) -> String? {
        guard !name.isEmpty else { return nil }
        if name.contains("/") { return isProgram(name) ? name : nil }
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        // An empty or relative part would mean the folder that somebody happens to stand in.
        return folders.filter { $0.hasPrefix("/") }.lazy.map { $0 + "/" + name }.map { String($0) }.first(
            where: isProgram)
    }

    /// The last name of what a path leads to, links followed: `editor` is a link to the editor that is meant.
    static func kind(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return "" }
        defer { unsafe free(resolved) }
        return lastName(unsafe String(cString: resolved))
    }

    /// What stands after the last slash.
    static func lastName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }
}
