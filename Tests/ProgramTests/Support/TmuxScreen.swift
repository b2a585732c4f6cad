// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import VaultTesting

/// A terminal of tmux's with a program in it: what it shows is read as somebody sees it.
final class TmuxScreen {
    struct NotShown: Error, CustomStringConvertible { let description: String }

    private let socket: String
    private let environment: [String: String]
    private let program: String

    /// - Parameter arguments: of `vault`.
    init(_ world: VaultWorld, _ arguments: [String], columns: Int, rows: Int) throws {
        guard let program = Programs.system("tmux") else { throw NotShown(description: "tmux is missing") }
        self.program = program
        socket = world.path("tmux-\(columns)x\(rows)")
        environment = world.environment.merging(["TERM": "xterm-256color", "LANG": "C.UTF-8", "SHELL": "/bin/sh"]) {
            $1
        }
        let line = ([Programs.path("vault")] + arguments).map { "'\($0)'" }.joined(separator: " ")
        // What is left of the screen when the program has ended is seen too.
        let ending = "; echo \"ended with $?\"; exec sleep 60"
        try tmux("-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(rows), line + ending)
    }

    deinit { _ = try? run(["kill-server"]) }

    /// Types keys by tmux's names, one after the other.
    func keys(_ names: String...) throws { for name in names { try tmux("send-keys", name) } }

    /// Types a text as it is.
    func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

    func resize(columns: Int, rows: Int) throws {
        try tmux("resize-window", "-x", String(columns), "-y", String(rows))
    }

    /// What is on the screen, without blanks at the ends of its lines.
    func text() throws -> String {
        try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    /// Waits until a text is on the screen, and returns all of it.
    @discardableResult
    func wait(for text: String, seconds: Double = 30) throws -> String {
        try wait(seconds, "\(text.debugDescription) is not shown") { $0.contains(text) }
    }

    @discardableResult
    func waitUntil(without text: String, seconds: Double = 30) throws -> String {
        try wait(seconds, "\(text.debugDescription) is still shown") { !$0.contains(text) }
    }

    private func wait(_ seconds: Double, _ trouble: String, _ isSo: (String) -> Bool) throws -> String {
        let deadline = Clock.seconds + seconds
        var last = ""
        while Clock.seconds < deadline {
            let now = try text()
            // A screen that is half drawn is none: it is one once it stays.
            if isSo(now), now == last { return now }
            last = now
            usleep(50_000)
        }
        throw NotShown(description: trouble + ":\n" + last)
    }

    @discardableResult
    private func tmux(_ words: String...) throws -> String {
        let finished = try run(words)
        guard finished.code == 0 else { throw NotShown(description: "tmux \(words[0]): \(finished.err)") }
        return finished.text
    }

    private func run(_ words: [String]) throws -> Finished {
        try Command.run([program, "-S", socket] + words, environment: environment)
    }
}
