// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// Which editor is run, and with what, so that it keeps no copy of the text anywhere else (ATTACKS G02).
struct EditorChoice: Equatable {
    let path: String
    /// What the person wants it to be called with.
    let arguments: [String]
    let kind: Kind

    enum Kind: Equatable {
        case vim, neovim, nano, emacs, unknown

        init(program: String) {
            switch program {
            case "nvim": self = .neovim
            case "nano", "rnano": self = .nano
            case _ where program == "vi" || program == "vim" || program.hasPrefix("vim."): self = .vim
            // Not emacsclient: the server that it talks to has its own ways.
            case _ where program == "emacs" || (program.hasPrefix("emacs-") && program != "emacs-client"): self = .emacs
            default: self = .unknown
            }
        }
    }

    /// $VISUAL, $EDITOR, the setting; without them `editor`, `nano`, `vi`.
    ///
    /// - Throws: `.usage` for a command that cannot be split or found, or an editor that is not known.
    static func find(configured: String?, allowsUnknown: Bool) throws(ClientFailure) -> EditorChoice {
        for (source, text) in [("VISUAL", Environment.text("VISUAL")), ("EDITOR", Environment.text("EDITOR")), ("the setting 'editor'", configured)] {
            guard let text, text.contains(where: { !$0.isWhitespace }) else { continue }
            guard let words = CommandWords.split(text), let name = words.first else {
                throw .usage("\(source) has a quote that is not closed", hint: "EDITOR=vim vault edit ID")
            }
            guard let path = ProgramPath.find(name) else {
                throw .usage("\(source) names an editor that is not there: \(VisibleText.escaped(name))", hint: "EDITOR=vim vault edit ID")
            }
            return try choice(path, Array(words.dropFirst()), allowsUnknown)
        }
        for name in ["editor", "nano", "vi"] { if let path = ProgramPath.find(name) { return try choice(path, [], allowsUnknown) } }
        throw .usage("there is no editor", hint: "install nano or vim, or set EDITOR")
    }

    private static func choice(_ path: String, _ arguments: [String], _ allowsUnknown: Bool) throws(ClientFailure) -> EditorChoice {
        let kind = Kind(program: ProgramPath.kind(path))
        guard kind != .unknown || allowsUnknown else {
            throw .usage(
                "\(VisibleText.escaped(path)) is not known to keep no copies of the text (swap, backup, undo and history files)",
                hint: "EDITOR=nano, vim, nvim or emacs; or --allow-unknown-editor")
        }
        return EditorChoice(path: path, arguments: arguments, kind: kind)
    }

    /// The whole command for a file in a folder.
    func command(file: String, folder: String) -> [String] { [path] + arguments + hygiene(folder) + [folder + "/" + file] }

    /// Switches that turn off what would copy the text, said so that a person's own settings cannot turn it on again.
    private func hygiene(_ folder: String) -> [String] {
        switch kind {
        // -n: no swap file, also after the settings are read. -i NONE: no history file. What is written beside the file while it is saved lies in its own folder.
        case .vim, .neovim:
            let off = "set noswapfile nobackup noundofile writebackup backupcopy=auto backupdir=. directory=. undodir=. nomodeline updatecount=0"
            return ["-n", "-i", "NONE", "--cmd", off, "-c", off, "-c", kind == .vim ? "set viminfo= viminfofile=NONE" : "set shada= shadafile=NONE"]
        // -I: no settings of the user's, which could name a folder for backups or turn on histories; those cannot be turned off otherwise.
        case .nano: return ["--ignorercfiles"]
        case .emacs:
            return [
                "-nw", "--eval",
                """
                (progn (setq make-backup-files nil backup-inhibited t auto-save-default nil auto-save-list-file-prefix nil \
                auto-save-list-file-name nil create-lockfiles nil vc-handled-backends nil save-place-mode nil savehist-mode nil recentf-mode nil \
                select-enable-clipboard nil desktop-save-mode nil bookmark-save-flag nil kill-emacs-hook nil \
                find-file-hook (list (lambda () (auto-save-mode -1) (setq-local backup-inhibited t)))))
                """,
            ]
        case .unknown: return []
        }
    }
}
