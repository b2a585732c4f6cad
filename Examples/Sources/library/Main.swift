// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import VaultCore

/// The library without an agent: makes a vault, keeps a note in it, reads it back, and hashes a password.
///
///     library FOLDER PASSWORD-FILE
@main
struct Library {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3 else { return print("library FOLDER PASSWORD-FILE") }
        let path = Array(words[1].utf8)
        try VaultCreation(path: path, password: password(words[2]), cost: .recommended, withRecoveryKey: false).commit()

        let vault = try OpenVault(VaultProbe(path: path), .password(password(words[2])))
        let notes = VaultPersistence(vault)
        let saved = try await notes.save(NoteDraft(body: "# Shopping\nmilk and bread"))
        try await notes.update(changed(saved))
        for note in try await notes.getNotes() { print(note.id.text, note.title, note.tags) }
        try await notes.close()

        let hash = try Crypto.hash(password(words[2]))
        let secret = SecureNote(id: saved.id, note: nil, passwordHash: hash.encoded)
        print(try secret.verify(password(words[2])) ? "the password fits" : "another password")
    }

    private static func changed(_ note: Note) -> Note {
        var note = note
        note.tags = ["home"]
        return note
    }

    /// Straight into locked memory: a password never becomes a string.
    private static func password(_ file: String) throws -> SecretBytes {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw VaultError(.notFound) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 1 else { throw VaultError(.empty) }
        // Without the line feed at its end.
        return try SecretBytes(byteCount: Int(status.st_size) - 1) { (raw) throws(VaultError) in
            guard read(descriptor, raw.baseAddress, raw.count) == raw.count else { throw VaultError(.notFound) }
        }
    }
}
