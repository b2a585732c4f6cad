// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

/// This extension has what is said of a word that names no note, or more than one.
extension VaultError {
    /// Quotes the word that named nothing.
    var nothingFound: Outcome {
        switch reference {
        case .note(let word):
            named(
                Outcome(
                    .notFound,
                    "no note matches \(Self.quoted(word))" + (candidates.isEmpty ? "" : "; the nearest are above"),
                    hint: "vault ls, or vault search WORDS"))
        case .row(let number, let count):
            Outcome(
                .notFound, "the last list on this terminal has \(count) row\(count == 1 ? "" : "s"), and no \(number)",
                hint: "vault ls")
        case .lastNote:
            Outcome(.notFound, "no note was read or written on this terminal yet", hint: "vault ls, then vault show 1")
        case .book(let word):
            Outcome(
                .notFound, "no book matches \(Self.quoted(word))", hint: "vault book ls, or vault book add TITLE")
        case .chapter(let word):
            Outcome(
                .notFound, "the book has no chapter \(Self.quoted(word))", hint: "vault book show ID lists its chapters"
            )
        case .template(let word):
            Outcome(.notFound, "there is no template \(Self.quoted(word))", hint: "vault template ls")
        case .notebook(let word):
            Outcome(.notFound, "there is no notebook \(Self.quoted(word))", hint: "vault notebook ls")
        case .tag(let word): Outcome(.notFound, "no note has the tag \(Self.quoted(word))", hint: "vault tag ls")
        case nil where code == .noSuchName: Outcome(.notFound, "no note has any of these tags", hint: "vault tag ls")
        case nil: Outcome(.notFound, "the note no longer exists", hint: "vault ls, or vault search WORDS")
        }
    }

    /// Returns a word of a request, in one line of at most 60 characters.
    private static func quoted(_ word: String) -> String {
        let line = SafeText.singleLine(word)
        guard line.count > quotedCharacterCountMax else { return "'\(line)'" }
        return "'\(line.prefix(quotedCharacterCountMax - 1))…'"
    }

    private static let quotedCharacterCountMax = 60

    var ambiguous: Outcome {
        let word: String = if case .note(let word) = reference { " " + Self.quoted(word) } else { "" }
        return named(
            Outcome(
                .ambiguous, "more than one note matches" + word, hint: "use a longer identifier from the list above"))
    }

    /// Returns an outcome with the notes that it is about.
    private func named(_ outcome: Outcome) -> Outcome {
        var outcome = outcome
        outcome.candidates = candidates.map { note in
            // As lists show it: of a secret note not the text.
            .init(id: note.id.text, title: SafeText.singleLine(NoteRow(note).title) + (note.isTrashed ? "  [trash]" : ""))
        }
        return outcome
    }
}
