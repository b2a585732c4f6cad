// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Foundation
import Glibc
import VaultTesting

@testable import VaultClient

/// A terminal, a home folder whose settings turn on every copy that an editor knows, and strace(1) of all that the
/// editor does.
final class EditorStage: Sendable {
    /// What is waited for on the screen, and what is typed then.
    typealias Step = (shown: String, typed: String)

    static let marker = "ZQMARKERZQ"
    static let text = "first \(marker)0\nsecond\n vim: set undofile swapfile:\n"

    static func has(_ program: String) -> Bool { ProgramPath.find(program) != nil && ProgramPath.find("setsid") != nil }
    static let canTrace: Bool = {
        guard let strace = ProgramPath.find("strace"),
            let process = try? Process.run(URL(fileURLWithPath: strace), arguments: ["-o", "/dev/null", "true"])
        else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    let home: String
    private let terminal: PseudoTerminal
    private var master: Int32 { terminal.master }

    init() throws {
        home = "/tmp/vault-editor-\(UUID().uuidString)"
        terminal = try PseudoTerminal()
        terminal.resize(columns: 80)
        try settings()
    }

    deinit {
        close(master)
        try? FileManager.default.removeItem(atPath: home)
    }

    /// A choice that runs an editor on the terminal, traced, with the switches of a kind.
    func choice(_ program: String, _ kind: EditorKind) throws -> EditorChoice {
        let calls =
            "write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,copy_file_range,sendfile,splice,symlink,symlinkat,mmap"
        let script = """
            #!/bin/sh
            echo $$ >\(home)/pid
            exec <\(terminal.path) >\(terminal.path) 2>&1
            export HOME=\(home) XDG_CONFIG_HOME=\(home)/config XDG_DATA_HOME=\(home)/data XDG_STATE_HOME=\(home)/state XDG_CACHE_HOME=\(home)/cache
            export TERM=xterm LC_ALL=C.UTF-8
            exec setsid -c strace -f -y -s 100000 -e trace=\(calls) -o \(home)/../\(traceName) \(ProgramPath.find(program) ?? program) "$@"
            """
        try write("editor", script)
        unsafe chmod(home + "/editor", 0o700)
        return EditorChoice(path: home + "/editor", arguments: [], kind: kind)
    }

    /// Types while the session runs. Screens are read to the end, so that the editor never waits for us.
    func play(_ steps: [Step]) {
        let thread = Thread { [self] in
            var screen: [UInt8] = []
            var rest = steps[...]
            while true {
                while let step = rest.first, let at = Self.end(of: step.shown, in: screen) {
                    screen.removeFirst(at)
                    rest.removeFirst()
                    let keys = Array(step.typed.utf8)
                    _ = unsafe keys.withUnsafeBytes { unsafe Glibc.write(master, $0.baseAddress, $0.count) }
                }
                var part = [UInt8](repeating: 0, count: 4096)
                var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&waiting, 1, 20_000) > 0 else { return hangUp() }
                let got = unsafe part.withUnsafeMutableBytes { unsafe read(master, $0.baseAddress, $0.count) }
                // Before the editor has opened its end, and after it has closed it, there is nothing to read.
                if got > 0 { screen += part[0..<got] } else if rest.isEmpty { return } else { usleep(10_000) }
            }
        }
        thread.start()
    }

    /// Files, but those of the folder and of terminals, that a marker was written to; by the trace, and by what lies in
    /// the home folder now.
    func leaks(besides folder: String) throws -> [String] {
        let trace = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: home + "/../" + traceName)), as: UTF8.self)
        try FileManager.default.removeItem(atPath: home + "/../" + traceName)
        var leaks: Set<String> = []
        for line in trace.split(separator: "\n") {
            let target = line.firstIndex(of: "<").flatMap { begin in
                line[begin...].firstIndex(of: ">").map { line[line.index(after: begin)..<$0] }
            }
            let isMapped =
                line.contains(" mmap(") && line.contains("PROT_WRITE") && line.contains("MAP_SHARED") && target != nil
            guard line.contains(Self.marker) || isMapped else { continue }
            let path = target.map { String($0) } ?? String(line.prefix(200))
            if !path.hasPrefix(folder + "/") && !path.hasPrefix("/dev/") { leaks.insert(path) }
        }
        for name in FileManager.default.enumerator(atPath: home)?.compactMap({ $0 as? String }) ?? [] {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: home + "/" + name))) ?? Data()
            if bytes.range(of: Data(Self.marker.utf8)) != nil { leaks.insert(home + "/" + name) }
        }
        return leaks.sorted()
    }

    /// Outside the home folder, which is searched.
    private var traceName: String { "trace-" + (home.split(separator: "/").last ?? "") }

    /// A dialogue that got stuck ends now, not by the test's limit in time: setsid(1) made a group of the editor and
    /// strace.
    private func hangUp() {
        guard let text = try? String(contentsOfFile: home + "/pid", encoding: .utf8), let pid = pid_t(text.dropLast()),
            pid > 1
        else { return }
        kill(-pid, SIGKILL)
    }

    private static func end(of text: String, in screen: [UInt8]) -> Int? {
        let wanted = Array(text.utf8)
        return screen.indices.first { screen[$0...].starts(with: wanted) }.map { $0 + wanted.count }
    }

    private func write(_ name: String, _ text: String) throws {
        let path = URL(fileURLWithPath: home + "/" + name)
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: path)
    }

    private func settings() throws {
        for name in ["bk", "sw", "un", "data/nano", "state", "cache"] {
            try FileManager.default.createDirectory(atPath: home + "/" + name, withIntermediateDirectories: true)
        }
        let copies =
            "undofile undodir=\(home)/un backup backupdir=\(home)/bk swapfile directory=\(home)/sw updatecount=1"
        let vim = """
            set nocompatible modeline modelines=5 patchmode=.orig history=500 verbose=1 verbosefile=\(home)/verbose.log updatetime=100
            set \(copies)
            autocmd VimEnter,BufEnter,InsertEnter,BufWritePre,VimLeavePre * set \(copies)

            """
        try write(
            ".vimrc",
            vim
                + "autocmd VimEnter,VimLeavePre * set viminfo='100,<500,s100,:500,/500,n\(home)/.viminfo viminfofile=\(home)/.viminfo\n"
        )
        try write(
            "config/nvim/init.vim",
            vim + "autocmd VimEnter,VimLeavePre * set shada='100,<500,s100,:500,/500 shadafile=\(home)/main.shada\n")
        try write(".nanorc", "set historylog\nset positionlog\nset backup\nset backupdir \(home)/bk\nset locking\n")
        try write(
            ".emacs.d/init.el",
            """
            (setq make-backup-files t version-control t backup-enable-predicate (lambda (_) t))
            (setq backup-directory-alist '((".*" . "\(home)/bk")) create-lockfiles t)
            (setq auto-save-default t auto-save-interval 1 auto-save-timeout 1 auto-save-file-name-transforms '((".*" "\(home)/sw/" t)))
            (setq savehist-additional-variables '(kill-ring search-ring) savehist-file "\(home)/history" savehist-autosave-interval 1)
            (setq desktop-save t desktop-dirname "\(home)" desktop-path '("\(home)") recentf-save-file "\(home)/recentf")
            (savehist-mode 1) (recentf-mode 1) (save-place-mode 1) (desktop-save-mode 1)
            (add-hook 'find-file-hook (lambda () (setq make-backup-files t) (auto-save-mode 1)))
            (add-hook 'window-setup-hook (lambda () (setq savehist-file "\(home)/history2") (savehist-mode 1) (setq-default backup-inhibited nil)
              (setq make-backup-files t backup-directory-alist '((".*" . "\(home)/bk")))))
            """)
    }
}
