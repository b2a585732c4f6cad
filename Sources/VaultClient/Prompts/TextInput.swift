// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentClient
internal import AgentProtocol
internal import Glibc

/// `TextInput` reads the text of a note: from the arguments, or from standard input.
public enum TextInput {
    /// Returns the text of a note.
    ///
    /// - Parameter words: joined with spaces; none, or a single `-`, reads standard input.
    /// - Throws: `.usage` for nothing, too much, or what is not UTF-8.
    static func read(_ words: [String], context: Context) throws(ClientFailure) -> String {
        guard words.isEmpty || words == ["-"] else { return try checked(Array(words.joined(separator: " ").utf8)) }
        if words.isEmpty && isatty(0) == 1 {
            throw .usage("no text was given", hint: "vault new TEXT…, or pipe it: echo TEXT | vault new -")
        }
        if context.options.passwordDescriptor == 0 {
            throw .usage(
                "the text and the password cannot both come from standard input", hint: "--password-fd 3 3<file")
        }
        do {
            return try checked(try FileBytes.read(0, max: Frame.noteByteCountMax))
        } catch let failure as FileBytes.Failure {
            if failure == .tooLarge { throw tooLarge }
            throw ClientFailure(.other, "cannot read standard input: \(SystemError.text(failure.number))")
        } catch let failure as ClientFailure {
            throw failure
        } catch {
            throw ClientFailure(.other, "cannot read standard input")
        }
    }

    /// Returns bytes as a note's text.
    public static func checked(_ bytes: [UInt8]) throws(ClientFailure) -> String {
        guard bytes.count <= Frame.noteByteCountMax else { throw tooLarge }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let offset = firstInvalidOffset(bytes) ?? 0
            throw .usage(
                "the text is not UTF-8 (byte \(offset))", hint: "iconv -f ISO-8859-1 -t utf-8, with its actual encoding"
            )
        }
        guard bytes.contains(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) else {
            throw .usage("nothing to save: the text is empty", hint: "vault new TEXT…")
        }
        return text
    }

    private static var tooLarge: ClientFailure {
        .usage("the text is larger than \(Frame.noteByteCountMax >> 20) MiB", hint: "split it: split -C 16m FILE")
    }

    /// Returns the offset of the first byte that is not part of well-formed UTF-8; nil when all is well.
    public static func firstInvalidOffset(_ bytes: [UInt8]) -> Int? {
        var offset = 0
        while offset < bytes.count {
            let lead = bytes[offset]
            let size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            let end = min(offset + size, bytes.count)
            // One character is checked by the standard library: the rules for overlong forms and surrogates are its.
            guard size == 1 || (lead >= 0xC2 && String(validating: bytes[offset..<end], as: UTF8.self) != nil) else {
                return offset
            }
            offset = end
        }
        return nil
    }
}
