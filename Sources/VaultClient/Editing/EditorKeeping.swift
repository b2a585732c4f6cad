// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// `EditorKeeping` makes the switches that have an editor put what it holds, and has not written yet, into a second
/// file of its folder: it is kept as a draft, and what the editor writes itself alone becomes the note. Neither text,
/// cursor, undo nor marks are touched by it.
///
/// nano cannot be told to; it writes such a file by itself when its terminal goes. Nor can micro, kakoune and helix:
/// what they have not saved goes with them.
enum EditorKeeping {
    /// Returns the switches for an editor; none for those that cannot be told to.
    ///
    /// - Parameter folder: as `EditorHygiene` takes it.
    static func switches(for kind: EditorKind, folder: String) -> [String] {
        switch kind {
        case .vim: vim(folder, whenLeft: "")
        // It ends with an error both when it is hung up on and when a person leaves it so. Only then is there a
        // terminal, and the file goes.
        case .neovim:
            vim(
                folder,
                whenLeft:
                    "if writefile([], \"/dev/tty\", \"a\") == 0 | call delete(\"\(folder)/\(EditFolderLayout.typedName)\") | endif"
            )
        case .emacs: ["--eval", lisp(folder)]
        case .nano, .micro, .kakoune, .helix, .busybox, .unknown: []
        }
    }

    /// Writes at each change of the text, as soon as no more keys wait, and once more when a signal ends it.
    ///
    /// - Parameter command: what is done when no signal ends it.
    private static func vim(_ folder: String, whenLeft command: String) -> [String] {
        let typed = folder + "/" + EditFolderLayout.typedName
        let pattern = "*/\(ProgramPath.lastName(folder))/\(EditFolderLayout.fileName)"
        // update: only what was not written. noautocmd: no hook of the person's changes the text for it. The other
        // three: no alternate file, no jump and no mark of the person's moves.
        let keep = "silent! keepalt keepjumps lockmarks noautocmd update! \(typed)"
        let moments = "TextChanged,TextChangedI,TextChangedP,InsertLeave,CursorHold,CursorHoldI"
        return [
            "-c", "silent! autocmd \(moments) \(pattern) \(keep)",
            "-c", "silent! autocmd VimLeavePre \(pattern) silent! execute v:dying ? '\(keep)' : '\(command)'",
        ]
    }

    /// Makes Lisp that keeps the text every 0.8 s when the text was changed, and once more when it ends, also by a
    /// signal. A file that is whole takes the place of the one before.
    private static func lisp(_ folder: String) -> String {
        let typed = folder + "/" + EditFolderLayout.typedName
        return """
            (progn (defvar vault-kept nil) (defun vault-keep-typed (&rest _) \
            (let ((buffer (get-file-buffer "\(folder)/\(EditFolderLayout.fileName)"))) \
            (when (and buffer (buffer-modified-p buffer) (not (eq vault-kept (buffer-chars-modified-tick buffer)))) \
            (setq vault-kept (buffer-chars-modified-tick buffer)) \
            (with-current-buffer buffer \
            (let ((coding-system-for-write buffer-file-coding-system) (file-name-handler-alist nil) (write-region-inhibit-fsync t) \
            (write-region-annotate-functions nil) (write-region-post-annotation-function nil) (inhibit-message t) (message-log-max nil) \
            (deactivate-mark nil)) \
            (ignore-errors (save-restriction (widen) (write-region nil nil "\(typed).new" nil 'quiet)) \
            (rename-file "\(typed).new" "\(typed)" t))))))) \
            (run-with-timer 0.8 0.8 #'vault-keep-typed) (add-hook 'kill-emacs-hook #'vault-keep-typed))
            """
    }
}
