// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

struct GenerateCommand: Command {
    static let name = "generate"
    static var spec: Spec {
        Spec(
            "Make a password, and a note that keeps it.",
            discussion: """
                The note has the password on its first line, below its title; 'vault copy' copies that. With --words \
                it is made of words of the system's dictionary. The note is tagged 'secret', so lists and searches \
                show its title alone.
                """,
            examples: [
                "vault generate github": "A password of 20 letters, digits and signs in a note 'github'.",
                "vault generate github --user ada -n 32": "A longer one, with a user name.",
                "vault generate door --words 5": "Five words, which are easier to type.",
            ])
    }
    var title = ""
    var length: UInt32 = 20
    var words: UInt32?
    var lettersOnly = false
    var user: String?
    var tags: [String] = []
    var notebook: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&title, "title", "What it is for.")
        list.option(&length, "length", letter: "n", "How many characters: 8 to 128.")
        list.option(&words, "words", letter: "w", "Use this many words instead: 4 to 20.")
        list.flag(&lettersOnly, "no-symbols", "Only letters and digits.")
        list.option(&user, "user", value: "name", "The user name; adds a line 'user: NAME'.")
        list.option(&tags, "tag", letter: "t", "A tag; may be given more than once.")
        list.option(&notebook, "notebook", letter: "b", "The notebook.")
    }

    var complaint: String? {
        if title.allSatisfy(\.isWhitespace) { return "what is the password for?" }
        if !(8...128).contains(length) { return "a password has 8 to 128 characters" }
        if let words, !(4...20).contains(words) { return "a password has 4 to 20 words" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let password = try words.map { count throws(ClientFailure) in try Self.words(Int(count)) } ?? characters()
        var note = NewNote(text: password + (user.map { "\nuser: \($0)" } ?? "") + "\n")
        note.title = try NameCheck.short(title, "title")
        note.notebook = try NameCheck.short(notebook ?? "", "notebook")
        note.tags.append(NewNote.secretTag)
        for tag in tags { note.tags.append(try NameCheck.short(tag, "tag")) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            // A piece of a password is no tag.
            conversation.agent.traits.readsTags = false
            return try conversation.perform(CreateNote(note))
        }
    }

    /// Draws characters, each as likely as any other, from the system's random numbers (getrandom(2)). Those that are
    /// taken for one another are left out.
    private func characters() -> String {
        let letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
        let alphabet = Array(lettersOnly ? letters : letters + "!#%+-./:=?@_~")
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }

    /// Draws words of the system's dictionary.
    private static func words(_ count: Int) throws(ClientFailure) -> String {
        let path = "/usr/share/dict/words"
        let missing = ClientFailure(
            .notFound, "there is no dictionary at \(path), or it is too small", hint: "install the package wamerican")
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw missing }
        defer { close(descriptor) }
        guard let bytes = try? FileBytes.read(descriptor, max: 32 << 20) else { throw missing }
        // Small letters alone, and none that is long to type.
        let words = bytes.split(separator: 0x0A).filter { word in
            (3...8).contains(word.count) && word.allSatisfy { (0x61...0x7A).contains($0) }
        }
        // 2,048 words are 11 bits each.
        guard words.count >= 2048 else { throw missing }
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in
            String(decoding: words[Int.random(in: 0..<words.count, using: &random)], as: UTF8.self)
        }.joined(separator: " ")
    }
}
