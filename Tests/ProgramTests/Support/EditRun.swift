// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// One `vault edit` on a terminal whose editor saves by itself, again and again, and writes down each save that was
/// done.
final class EditRun {
    let session: TerminalSession
    private let world: VaultWorld
    private let progress: String

    /// vim, driven by a script: line 1 is "save N" after the N-th save, and N is in a file then.
    init(_ world: VaultWorld, note: String, saves: Int, pause: Int = 5) throws {
        self.world = world
        progress = world.path("progress")
        try? FileManager.default.removeItem(atPath: progress)
        let script = """
            for number in range(1, \(saves))
              call setline(1, 'save ' . number)
              silent write
              call writefile([number], '\(progress)')
              sleep \(pause)m
            endfor
            quit
            """
        try world.write("script.vim", script)
        world.environment["EDITOR"] = "vim -S \(world.path("script.vim"))"
        world.environment["TERM"] = "xterm"
        session = try world.terminal("edit", note, "--yes")
    }

    /// The number of the last save that the editor had finished.
    var saved: Int { Self.number((try? String(contentsOfFile: progress, encoding: .utf8)) ?? "") }

    /// Waits until the editor has saved at least once.
    func waitForSave(seconds: Double = 30) throws {
        let deadline = Clock.seconds + seconds
        while saved == 0 {
            guard Clock.seconds < deadline else {
                throw VaultWorld.Failed(description: "no save: \(session.transcript.suffix(300))")
            }
            usleep(2000)
        }
    }

    /// The editor's process: the client's only child.
    var editor: pid_t? {
        let path = "/proc/\(session.pid)/task/\(session.pid)/children"
        return (try? ProcFile.bytes(path)).flatMap {
            pid_t(String(decoding: $0, as: UTF8.self).split(separator: " ").first ?? "")
        }
    }

    /// The folder in memory; nil when it is gone.
    var folder: String? {
        let runtime = world.environment["XDG_RUNTIME_DIR"]! + "/notevault"
        return ((try? FileManager.default.contentsOfDirectory(atPath: runtime)) ?? []).first { $0.hasPrefix("edit-") }
            .map { runtime + "/" + $0 }
    }

    /// The highest save that the vault has: in the note, or in a draft.
    func kept(note: String) throws -> Int {
        var best = Self.number(try world.require(world.vault("cat", note)).text)
        for draft in try JSON(world.vault("draft", "ls", "--json"))["drafts"].array {
            best = max(
                best, Self.number(try world.require(world.vault("draft", "show", draft["id"].string ?? "")).text))
        }
        return best
    }

    private static func number(_ text: String) -> Int { Int(text.split { !$0.isNumber }.first ?? "") ?? 0 }
}
