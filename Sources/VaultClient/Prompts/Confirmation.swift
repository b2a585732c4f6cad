// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// A yes-or-no question on the terminal.
public enum Confirmation {
    /// Whether a typed line says yes: `y` or `yes` in any case. Everything else, also nothing, is no.
    public static func isYes(_ line: some Sequence<UInt8>) -> Bool {
        var word = line.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
        word = word.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        return word.elementsEqual("y".utf8) || word.elementsEqual("yes".utf8)
    }

    /// Asks.
    ///
    /// - Throws: `.locked` when nobody can be asked, `.interrupted` on Ctrl-C.
    static func ask(_ question: String) throws(ClientFailure) -> Bool {
        do {
            let answer = try PasswordReader.ask(prompt: question + " [y/N] ", echo: true)
            return unsafe answer.withUnsafeBytes { bytes in unsafe isYes(bytes) }
        } catch .empty {
            return false
        } catch {
            throw PasswordSource.failure(error)
        }
    }
}
