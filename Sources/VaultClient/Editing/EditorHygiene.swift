// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `EditorHygiene` makes the switches that turn off all that would copy a text out of its folder (ThreatModel G02).
///
/// The person's own settings are read, but for nano, and may turn any of it on again, at the start or by a hook. So
/// each option is set before the settings are read, after them, and once more by hooks that are the last to be added;
/// and the folders for copies are the text's own.
enum EditorHygiene {
    /// Returns the switches for an editor; none for busybox and for one that is not known.
    ///
    /// - Parameter folder: its path has none of the characters that vim or Lisp would read as more than themselves.
    static func switches(for kind: EditorKind, folder: String) -> [String] {
        switch kind {
        case .vim: vim(vimOptions(folder) + ["viminfo=", "viminfofile=NONE"])
        case .neovim: vim(vimOptions(folder) + ["shada=", "shadafile=NONE"])
        // -I: histories that a settings file turns on cannot be turned off by a switch, so none is read. -B: the text
        //   before a save stays beside it
        // until the next one.
        case .nano: ["-I", "-B"]
        case .emacs: ["-nw", "--eval", lisp(folder)]
        case .micro: micro(folder)
        // It keeps no copy by itself.
        case .kakoune: []
        // What it logs may quote the text; its settings cannot be changed from a command line, and none of them keeps
        // a copy.
        case .helix: ["--log", "/dev/null"]
        case .busybox, .unknown: []
        }
    }

    /// Returns the switches of vim. `-n`: no swap file, also after the settings are read.
    private static func vim(_ options: [String]) -> [String] {
        // One `set` each: an option that a small vim does not have must not keep the others from being set.
        let off = options.map { "silent! set " + $0 }.joined(separator: "|")
        let moments = "VimEnter,BufEnter,InsertEnter,BufWritePre,FileWritePre,VimLeavePre"
        return [
            "-n", "-i", "NONE", "--cmd", off, "-c", off, "-c", "silent! autocmd \(moments) * \(off)", "-c",
            "silent! autocmd OptionSet * \(off)",
        ]
    }

    private static func vimOptions(_ folder: String) -> [String] {
        [
            "noswapfile", "updatecount=0", "noundofile", "nobackup", "patchmode=",
            // While a file is saved, the text before lies beside it under another name, and goes when all is written.
            "writebackup", "backupcopy=no", "backupskip=", "backupext=~",
            "directory=" + folder, "backupdir=" + folder, "undodir=" + folder, "viewdir=" + folder,
            "verbose=0", "verbosefile=", "clipboard=",
            // What is kept beside the note's file (`EditorKeeping`) does not make it a file that was written, and is
            // nobody's only copy.
            "cpoptions-=+", "nofsync",
            // A text may come from anybody: it gives no orders.
            "nomodeline", "modelines=0",
        ]
    }

    /// Returns the switches of micro: each of its settings is one, and they come after those of the person's. It puts
    /// the text into its folder for backups while it saves, whatever the settings say.
    private static func micro(_ folder: String) -> [String] {
        [
            ("backup", "false"), ("permbackup", "false"), ("backupdir", folder), ("saveundo", "false"),
            ("savecursor", "false"), ("savehistory", "false"), ("clipboard", "internal"), ("autosave", "0"),
        ].flatMap { ["-" + $0.0, $0.1] }
    }

    private static func lisp(_ folder: String) -> String {
        """
        (progn (defun vault-keep-no-copies (&rest _) \
        (setq-default backup-inhibited t) \
        (setq backup-inhibited t make-backup-files nil vc-make-backup-files nil file-precious-flag t \
        auto-save-default nil buffer-auto-save-file-name nil auto-save-list-file-prefix nil auto-save-list-file-name nil \
        create-lockfiles nil delete-by-moving-to-trash nil save-abbrevs nil bookmark-save-flag nil desktop-save nil undo-tree-auto-save-history nil \
        enable-local-variables nil enable-local-eval nil enable-dir-local-variables nil select-enable-clipboard nil select-enable-primary nil \
        temporary-file-directory "\(folder)/" \
        backup-directory-alist '(("." . "\(folder)/")) auto-save-file-name-transforms '((".*" "\(folder)/" t)) \
        savehist-file "\(folder)/savehist" recentf-save-file "\(folder)/recentf" save-place-file "\(folder)/places") \
        (dolist (mode '(savehist-mode recentf-mode save-place-mode desktop-save-mode auto-save-visited-mode global-undo-tree-mode \
        undo-fu-session-global-mode)) \
        (when (and (boundp mode) (symbol-value mode) (fboundp mode)) (ignore-errors (funcall mode -1))))) \
        (vault-keep-no-copies) \
        (dolist (hook '(emacs-startup-hook window-setup-hook find-file-hook before-save-hook)) (add-hook hook #'vault-keep-no-copies 100)) \
        (dolist (hook '(auto-save-hook kill-buffer-hook kill-emacs-hook)) (add-hook hook #'vault-keep-no-copies -100)))
        """
    }
}
