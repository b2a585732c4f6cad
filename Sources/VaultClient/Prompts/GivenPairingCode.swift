// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory
internal import VaultFormat

/// `GivenPairingCode` reads a pairing code: from a file, from standard input, or as it is typed or pasted, over as many
/// lines as it has. It is no secret, and never an argument: nobody types it into a shell.
enum GivenPairingCode {
    /// Reads the code from a file or from standard input, or asks for it.
    ///
    /// - Parameter file: its path, "-" for standard input; nil to ask, or to read a standard input that is no terminal.
    /// - Throws: `.usage` for what is no code, naming the group with the slip; `.locked` when nobody can be asked.
    static func read(_ file: String?, _ context: Context) throws(ClientFailure) -> PairingCode {
        if let file, file != "-" { return try parsed(try bytes(of: file)) }
        if file == nil, isatty(0) == 1 || context.options.noInput { return try asked(context) }
        guard context.options.passwordDescriptor != 0 else {
            throw .usage(
                "the code and the password cannot both come from standard input", hint: "--password-fd 3 3<file")
        }
        return try parsed(try bytes(of: 0, "standard input"))
    }

    private static func bytes(of file: String) throws(ClientFailure) -> [UInt8] {
        let name = VisibleText.escaped(file)
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot read \(name): \(SystemError.text(errno))",
                hint: "vault device pair > FILE on a device that has the vault")
        }
        defer { close(descriptor) }
        return try bytes(of: descriptor, name)
    }

    private static func bytes(of descriptor: Int32, _ name: String) throws(ClientFailure) -> [UInt8] {
        do throws(FileBytes.Failure) { return try FileBytes.read(descriptor, max: PairingText.byteCountMax) } catch {
            throw unreadable(name, error)
        }
    }

    private static func unreadable(_ name: String, _ failure: FileBytes.Failure) -> ClientFailure {
        failure == .tooLarge
            ? .usage("\(name) is not a pairing code: it is too long", hint: again)
            : ClientFailure(.other, "cannot read \(name): \(SystemError.text(failure.number))")
    }

    /// Asks for line after line until the code is whole; an empty line ends it.
    private static func asked(_ context: Context) throws(ClientFailure) -> PairingCode {
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(
                .locked, "the pairing code is needed, and there is no terminal to ask on",
                hint: "--code-file FILE, or - for standard input")
        }
        var typed: [UInt8] = []
        while typed.count <= PairingText.byteCountMax {
            do throws(PasswordReader.Failure) {
                let prompt = typed.isEmpty ? "Pairing code: " : "more, or an empty line: "
                let line = try PasswordReader.ask(prompt: prompt, echo: true)
                typed += unsafe line.withUnsafeBytes { raw in unsafe Array(raw) } + [0x0A]
            } catch {
                guard error == .empty else { throw PasswordSource.failure(error) }
                return try parsed(typed)
            }
            if let code = try? PairingText.parse(typed) { return code }
        }
        return try parsed(typed)
    }

    private static func parsed(_ typed: [UInt8]) throws(ClientFailure) -> PairingCode {
        do throws(PairingText.Slip) { return try PairingText.parse(typed) } catch {
            switch error {
            case .empty: throw .usage("no pairing code was given", hint: again)
            case .group(let number, let text):
                throw .usage(
                    "group \(number) of the pairing code, '\(text)', is mistyped",
                    hint: "compare it with the code; each group has eight letters, only the last may be shorter")
            case .incomplete:
                throw .usage("the pairing code is incomplete: a group is missing", hint: again)
            case .newerFormat:
                throw ClientFailure(
                    .failSafe, "the pairing code was made by a newer version", hint: "install that version of vault")
            }
        }
    }

    private static let again = "vault device pair on a device that has the vault shows it again"
}

extension PairingCode {
    /// Puts where the remote is, as commands take it, where nothing else was typed.
    ///
    /// - Parameter place: as it was typed; nil for the code's own.
    /// - Throws: `.usage` for a place that is no text.
    func remote(_ place: String?, _ options: RemoteOptions) throws(ClientFailure) -> AddRemote {
        guard let own = String(validating: self.place, as: UTF8.self) else {
            throw .usage("the place in the pairing code is not text", hint: "vault clone PLACE --code")
        }
        var options = options
        guard place == nil else { return try options.remote(nil, place ?? "") }
        let word =
            switch kind {
            case .folder: "folder"
            case .webDAV: "webdav"
            case .s3: "s3"
            case .dropbox: "dropbox"
            case .rclone: "rclone"
            }
        if options.region.isEmpty { options.region = region }
        if options.bucket.isEmpty { (options.bucket, options.prefix) = (bucket, prefix) }
        return try options.remote(word, own)
    }
}
