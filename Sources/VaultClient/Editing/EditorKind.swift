// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `EditorKind` names the editors whose ways with copies of a text are known, so that they can be turned off.
enum EditorKind: Equatable, CaseIterable {
    case vim, neovim, nano, emacs, micro, kakoune, helix
    /// The `vi` of busybox: it has no copies to turn off.
    case busybox
    case unknown

    /// Recognizes an editor by its name and its program.
    ///
    /// - Parameters:
    ///   - name: what the editor is called as; some programs act by it.
    ///   - program: the last name of the program behind all links.
    init(name: String, program: String) {
        switch program {
        case "nvim": self = .neovim
        case "nano", "rnano": self = .nano
        case "micro": self = .micro
        case "kak": self = .kakoune
        case "hx", "helix": self = .helix
        case "busybox": self = name == "vi" ? .busybox : .unknown
        case _ where program == "vi" || program == "vim" || program.hasPrefix("vim."):
            self = Self.opensHere(name) ? .vim : .unknown
        case _ where program.hasPrefix("emacs"): self = Self.isEmacs(program.dropFirst(5)) ? .emacs : .unknown
        default: self = .unknown
        }
    }

    /// Returns whether vim edits in the terminal. It leaves that for a window, or does not edit, by how it is called:
    /// gvim, evim, ex, view, vimdiff, and the same after an `r`.
    private static func opensHere(_ name: String) -> Bool {
        let called = name.hasPrefix("r") ? name.dropFirst() : name[...]
        return !["g", "ev", "ex", "view", "vimdiff"].contains { called.hasPrefix($0) }
    }

    /// Returns whether this is Emacs: `emacs`, `emacs-nox`, `emacs28`. A client of emacs hands the text to a server
    /// whose settings are not ours to change.
    private static func isEmacs(_ ending: Substring) -> Bool {
        guard let first = ending.first else { return true }
        return (first == "-" || first.isNumber) && !ending.contains("client")
    }
}
