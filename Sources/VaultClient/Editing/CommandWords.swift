// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// `CommandWords` splits a command of a setting or variable into words: white space parts them, quotes and backslashes
/// keep it. Nothing is expanded and no shell sees it: `$`, `;`, `|` and backquotes are letters like others (ThreatModel
/// E10).
enum CommandWords {
    /// Returns the words of a command; nil for a quote that is not closed, or a backslash at the end.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        // Nil between words: a word may be empty, as '' is.
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                // Between double quotes a backslash keeps itself, but before a quote or another backslash.
                if quote != nil && scalar != "\"" && scalar != "\\" { word?.append("\\") }
                word?.append(scalar)
                isEscaped = false
            } else if scalar == "\\" && quote != "'" {
                isEscaped = true
                word = word ?? .init()
            } else if let open = quote {
                if scalar == open { quote = nil } else { word?.append(scalar) }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
                word = word ?? .init()
            } else if scalar.properties.isWhitespace {
                if let done = word { words.append(String(done)) }
                word = nil
            } else {
                if word == nil { word = .init() }
                word?.append(scalar)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if let done = word { words.append(String(done)) }
        return words
    }
}

/// `ProgramPath` finds programs as a shell does, but without one.
enum ProgramPath {
    /// Returns the full path of a program: a name with a slash as it stands, else the first in PATH that may be run.
    static func find(_ name: String, in path: String? = Environment.text("PATH")) -> String? {
        guard !name.isEmpty else { return nil }
        if name.contains("/") { return isProgram(name) ? name : nil }
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        // An empty or relative part would mean the folder that somebody happens to stand in.
        return folders.filter { $0.hasPrefix("/") }.lazy.map { $0 + "/" + name }.map { String($0) }.first(
            where: isProgram)
    }

    /// Returns the last name of what a path leads to, links followed: `editor` is a link to the editor that is meant.
    static func kind(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return "" }
        defer { unsafe free(resolved) }
        return lastName(unsafe String(cString: resolved))
    }

    /// Returns what stands after the last slash.
    static func lastName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }
}
