// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `EditorArguments` knows the arguments of a person's own that a known editor may be called with. Some others write
/// the text elsewhere (`vim -w`, `nano -C`) or would make our switches file names (`--`), so that only those listed
/// here are taken.
struct EditorArguments {
    private let switches: Set<String>
    /// Switches that are followed by a word of their own, or hold it after `=`.
    private let valued: Set<String>
    /// Single letters that may stand together behind one `-`.
    private var letters: Set<Character> = []
    private var takesPositions = true

    init(of kind: EditorKind) {
        switch kind {
        case .vim, .neovim:
            switches = [
                "-X", "-f", "-v", "-N", "-C", "-Z", "-b", "-n", "-y", "-A", "-H", "--clean", "--noplugin", "--nofork",
                "--ttyfail",
                "--not-a-term",
            ]
            // Settings by these come before the last of ours.
            valued = ["-c", "--cmd", "-S", "-u"]
        case .nano:
            letters = Set("ADEIKLMNOSUWZabcdegijklmpqtuwxyz%_0")
            switches = [
                "--boldtext", "--tabstospaces", "--ignorercfiles", "--nonewlines", "--softwrap", "--autoindent",
                "--linenumbers", "--mouse",
                "--nohelp",
                "--nowrap", "--breaklonglines", "--constantshow", "--indicator", "--minibar", "--zero", "--smarthome",
                "--saveonexit", "--zap",
            ]
            valued = ["-T", "-r", "-J", "-Y", "--tabsize", "--fill", "--guidestripe", "--syntax"]
        case .emacs:
            switches = [
                "-nw", "--no-window-system", "-q", "--no-init-file", "-Q", "--quick", "--no-site-file",
                "--no-site-lisp", "--no-splash",
                "--no-desktop",
                "-D",
            ]
            valued = ["-l", "--load", "--eval", "-f", "--funcall"]
        case .kakoune:
            switches = ["-n"]
            valued = []
        case .helix:
            switches = ["--vsplit", "--hsplit"]
            valued = []
        case .micro:
            switches = []
            valued = ["-tabsize", "-softwrap", "-wordwrap", "-ruler", "-colorscheme", "-tabstospaces", "-autoindent"]
        case .busybox, .unknown:
            switches = []
            valued = []
            takesPositions = false
        }
    }

    /// Returns the first of `words` that is not known to be harmless; nil when all are.
    func firstUnknown(in words: [String]) -> String? {
        var rest = words[...]
        while let word = rest.popFirst() {
            if takesValue(word) {
                guard rest.popFirst() != nil else { return word }
            } else if !isKnown(word) {
                return word
            }
        }
        return nil
    }

    /// Returns whether a word is an option that takes a value, also behind other letters: `-lT 4`.
    private func takesValue(_ word: String) -> Bool {
        if valued.contains(word) { return true }
        guard let last = word.last, word.hasPrefix("-"), valued.contains("-\(last)") else { return false }
        return !letters.isEmpty && word.dropFirst().dropLast().allSatisfy(letters.contains)
    }

    private func isKnown(_ word: String) -> Bool {
        if switches.contains(word) || (takesPositions && word.hasPrefix("+")) { return true }
        if word.hasPrefix("--") {
            guard let equals = word.firstIndex(of: "=") else { return false }
            return valued.contains(String(word[..<equals]))
        }
        return word.hasPrefix("-") && word.count > 1 && word.dropFirst().allSatisfy(letters.contains)
    }
}

/// `EditorEnvironment` makes the variables that an editor is given: all of the person's, without ours.
enum EditorEnvironment {
    /// Filters (`:%!sort`), spell checkers and formatters get the text in a temporary file: it lies in the folder too.
    private static let temporary = ["TMPDIR", "TMP", "TEMP"]

    /// Returns the editor's variables, with `folder` as the place for temporary files.
    static func variables(folder: String) -> [String] { filtered(current()) + temporary.map { $0 + "=" + folder } }

    /// Returns the variables without ours: what names a password's place is nothing to an editor and all that it
    /// starts.
    static func filtered(_ variables: [String]) -> [String] {
        variables.filter { variable in
            let name = variable.prefix { $0 != "=" }
            return !name.hasPrefix("NOTEVAULT_") && name != "VAULT_PASSWORD" && !temporary.contains(String(name))
        }
    }

    private static func current() -> [String] {
        var next = unsafe environ
        var variables: [String] = []
        while let entry = unsafe next.pointee {
            if let text = unsafe String(validatingCString: entry) { variables.append(text) }
            unsafe next += 1
        }
        return variables
    }
}
