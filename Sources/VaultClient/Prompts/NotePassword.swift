// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `NotePassword` asks for the password of a single note. It is another one than the vault's, so `--password-file` is
/// not asked for it.
enum NotePassword {
    private static let hint = "--note-password-file F or --note-password-fd N"

    /// Asks for a password that is known.
    static func known(_ options: NotePasswordOptions, _ context: Context) throws(ClientFailure) -> SecretBytes {
        let source = try source(options.file, options.descriptor, context)
        return try WantedSecret.notePassword.from { () throws(ClientFailure) -> SecretBytes in
            try source.read(prompt: "Password of the note: ")
        }
    }

    /// Asks for a password that is set: it is typed twice, and questioned when it is weak. There is no way around it.
    static func new(_ options: NotePasswordOptions, isSecond: Bool = false, _ context: Context) throws(ClientFailure)
        -> SecretBytes
    {
        let source =
            isSecond
            ? try source(options.newFile, options.newDescriptor, context)
            : try source(options.file, options.descriptor, context)
        return try (isSecond ? WantedSecret.newNotePassword : .notePassword).from {
            () throws(ClientFailure) -> SecretBytes in
            try NewPassword.get(source, prompt: "New password of the note: ")
        }
    }

    /// Asks for one password for all private notes of an import; a second import of the same source asks for the same.
    static func ofImport(_ options: NotePasswordOptions, _ context: Context) throws(ClientFailure) -> SecretBytes {
        let source = try source(options.file, options.descriptor, context)
        return try WantedSecret.notePassword.from { () throws(ClientFailure) -> SecretBytes in
            try NewPassword.get(source, prompt: "Password of the imported notes: ")
        }
    }

    /// Returns whether somebody types them, and may try again.
    static func isTyped(_ options: NotePasswordOptions) -> Bool { options.file == nil && options.descriptor == nil }

    private static func source(_ file: String?, _ descriptor: Int32?, _ context: Context) throws(ClientFailure)
        -> PasswordSource
    {
        switch (file, descriptor) {
        case (.some, .some): throw .usage("a note's password comes from a file or a descriptor, not both", hint: hint)
        case (.some(let file), nil): return .file(file)
        case (nil, .some(let descriptor)): return .descriptor(descriptor)
        case (nil, nil):
            guard !context.options.noInput else {
                throw ClientFailure(.locked, "the note's password is needed and --no-input was given", hint: hint)
            }
            return .terminal
        }
    }
}
