// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `Confirmation` asks a yes-or-no question on the terminal.
public enum Confirmation {
    /// Returns whether a typed line says yes: `y` or `yes` in any case. Everything else, also nothing, is no.
    public static func isYes(_ line: some Sequence<UInt8>) -> Bool {
        word(line).elementsEqual("y".utf8) || word(line).elementsEqual("yes".utf8)
    }

    /// Returns whether a typed line spells out no.
    static func isNo(_ line: some Sequence<UInt8>) -> Bool {
        word(line).elementsEqual("n".utf8) || word(line).elementsEqual("no".utf8)
    }

    /// Returns the word lazily: the line may be a password that was typed ahead, and no copy of it is made.
    private static func word(_ line: some Sequence<UInt8>) -> some Sequence<UInt8> {
        line.lazy.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }

    /// Asks a question on the terminal.
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

    /// Goes on only after a yes.
    ///
    /// - Throws: `.locked` with `hint` when nobody can be asked, `.aborted` with `refused` after anything but a yes.
    static func require(_ question: String, refused: String, hint: String, _ context: Context) throws(ClientFailure) {
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(.locked, "needs confirmation", hint: hint)
        }
        guard try ask(question) else { throw ClientFailure(.aborted, refused) }
    }

    /// Asks for a severe act to be confirmed: its name must be typed, or given with `--confirm`.
    ///
    /// - Throws: `.locked` when nobody can be asked, `.aborted` for another name.
    static func require(name: String, given: String?, _ act: String, _ context: Context) throws(ClientFailure) {
        let refused = ClientFailure(.aborted, "the name does not match; nothing was done")
        if let given {
            guard given == name else { throw refused }
            return
        }
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(
                .locked, "to \(VisibleText.escaped(act)), its name must be confirmed",
                hint: "--confirm=" + ShellWord.quoted(name))
        }
        do {
            let typed = try PasswordReader.ask(prompt: "To \(VisibleText.escaped(act)), type its name: ", echo: true)
            guard unsafe typed.withUnsafeBytes({ unsafe $0.elementsEqual(name.utf8) }) else { throw refused }
        } catch let failure as ClientFailure {
            throw failure
        } catch let failure as PasswordReader.Failure {
            throw failure == .empty ? refused : PasswordSource.failure(failure)
        } catch {
            throw refused
        }
    }
}
