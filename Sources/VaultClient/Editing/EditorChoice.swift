// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `EditorChoice` says which editor is run, and with what, so that it keeps no copy of the text anywhere else
/// (ThreatModel G02).
struct EditorChoice: Equatable {
    let path: String
    /// What the person wants it to be called with.
    let arguments: [String]
    let kind: EditorKind

    /// Finds the editor: $VISUAL, $EDITOR, the setting; without them `editor`, `nano`, `vi`.
    ///
    /// - Parameters:
    ///   - variable: the value of an environment variable.
    ///   - mayUse: asked for an editor that is not known, by its path.
    /// - Throws: `.usage` for a command that cannot be split or found, or an editor or argument that is not known.
    static func find(
        configured: String?, allowsUnknown: Bool, variable: (String) -> String? = Environment.text,
        mayUse: (String) throws(ClientFailure) -> Bool = { _ in false }
    ) throws(ClientFailure) -> EditorChoice {
        let wanted = [
            ("VISUAL", variable("VISUAL")), ("EDITOR", variable("EDITOR")), ("the setting 'editor'", configured),
        ]
        for case (let source, let text?) in wanted where text.contains(where: { !$0.isWhitespace }) {
            guard let words = CommandWords.split(text), let name = words.first else {
                throw .usage(
                    "\(source) has an unclosed quote, or ends with a backslash", hint: "EDITOR=vim vault edit ID")
            }
            guard let path = ProgramPath.find(name, in: variable("PATH")) else {
                throw .usage(
                    "\(source) names an editor that cannot be found: \(VisibleText.escaped(name))",
                    hint: "EDITOR=vim vault edit ID")
            }
            return try EditorChoice(path, Array(words.dropFirst())).allowed(allowsUnknown, mayUse)
        }
        let found = ["editor", "nano", "vi"].compactMap { ProgramPath.find($0, in: variable("PATH")) }.map {
            EditorChoice($0, [])
        }
        // Nobody named one: a known editor further down serves better than a refusal of the first.
        guard let choice = found.first(where: { $0.kind != .unknown }) ?? found.first else {
            throw .usage("no editor was found", hint: "install nano or vim, or set EDITOR")
        }
        return try choice.allowed(allowsUnknown, mayUse)
    }

    init(path: String, arguments: [String], kind: EditorKind) {
        self.path = path
        self.arguments = arguments
        self.kind = kind
    }

    private init(_ path: String, _ arguments: [String]) {
        self.init(
            path: path, arguments: arguments,
            kind: EditorKind(name: ProgramPath.lastName(path), program: ProgramPath.kind(path)))
    }

    private func allowed(
        _ allowsUnknown: Bool, _ mayUse: (String) throws(ClientFailure) -> Bool
    ) throws(ClientFailure) -> EditorChoice {
        if allowsUnknown { return self }
        let name = VisibleText.escaped(path)
        guard kind != .unknown else {
            if try mayUse(path) { return self }
            throw .usage(
                "\(name) may keep copies of the text (swap, backup, undo and history files)",
                hint: "EDITOR=nano, vim, nvim, emacs, micro, kak or hx; or --allow-unknown-editor")
        }
        if let word = EditorArguments(of: kind).firstUnknown(in: arguments) {
            throw .usage(
                "\(name) \(VisibleText.escaped(word)) may keep copies of the text",
                hint: "leave it out, or --allow-unknown-editor")
        }
        return self
    }

    /// Returns the whole command for a file in a folder. Our switches come first: no word of the person's can make file
    /// names of them.
    func command(file: String, folder: String) -> [String] {
        let ours = EditorHygiene.switches(for: kind, folder: folder) + EditorKeeping.switches(for: kind, folder: folder)
        return [path] + ours + arguments + [folder + "/" + file]
    }
}
