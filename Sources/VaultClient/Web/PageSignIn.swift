// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory
internal import VaultFormat
internal import WebProtocol

/// `PageSignIn` walks a person through what rclone asks for, on the page: three lines come over standard input (a
/// remote that is there, or nothing; a service; the folder in it), then one line for each answer. It writes one line of
/// JSON for each question, and a last one that says how it ended.
///
/// No answer is in an argument or a variable: rclone is asked over a socket. Spec: docs/web-protocol.md §3.
struct PageSignIn {
    /// The hidden command: `vault __signin DIRECTORY`.
    static let command = "__signin"
    /// A token of a service, in bytes.
    private static let answerByteCountMax = 8192
    private static let questionCountMax = 64
    private static let millisecondsMax: Int64 = 600_000

    private let context: Context
    /// A remote that is there; empty for a new one.
    private let name: String
    private let service: RcloneService
    private let place: String

    /// Runs the hidden command.
    ///
    /// - Returns: the exit code that `vault remote login` would end with.
    static func run(_ words: [String]) -> Int32 {
        // Whoever reads the answers may have gone.
        signal(SIGPIPE, SIG_IGN)
        guard words.count == 1 else { return Int32(ExitCode.usage.rawValue) }
        var options = GlobalOptions()
        (options.vault, options.noInput, options.quiet) = (words[0], true, true)
        do throws(ClientFailure) {
            let lines = [try line(), try line(), try line()]
            let signIn = try PageSignIn(Context(options: options), lines)
            let name = try signIn.perform()
            write(JSONText.object([("done", .string(name))]).encoded)
            return 0
        } catch {
            write(JSONText.failure(error.outcome).encoded)
            return Int32(error.outcome.code.rawValue)
        }
    }

    private init(_ context: Context, _ lines: [String]) throws(ClientFailure) {
        self.context = context
        (name, place) = (lines[0], lines[2])
        // Of a remote that is there its own place says which service it is of.
        let found = name.isEmpty ? RcloneService(lines[1], nil) : try Self.service(of: lines[0], context)
        guard let found else {
            throw ClientFailure(
                .notFound, "rclone has no service '\(VisibleText.escaped(lines[1]))'",
                hint: "rclone help backends names all of them")
        }
        guard !RcloneRemote.wrappers.contains(found.backend) else {
            throw .usage(
                "'\(found.backend)' backend wraps another remote",
                hint: "name that one: what vault stores is encrypted and checked already")
        }
        service = found
    }

    private static func remotes(_ context: Context) throws(ClientFailure) -> [RemoteRow] {
        try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, lists) = try conversation.ask(ListRemotes())
            try Session.require(outcome)
            return lists.flatMap(\.remotes)
        }
    }

    private static func service(of name: String, _ context: Context) throws(ClientFailure) -> RcloneService {
        guard let row = try remotes(context).first(where: { $0.name == name && $0.kind == .rclone }) else {
            throw ClientFailure(
                .notFound, "there is no remote '\(VisibleText.escaped(name))' that rclone reaches",
                hint: "vault remote ls")
        }
        return RcloneService(backend: String(row.place.prefix { $0 != ":" }))
    }

    private func perform() throws(ClientFailure) -> String {
        let path = try RcloneRemote.path(nil)
        let request: (remote: AddRemote?, name: String) = name.isEmpty ? try adding(path) : (nil, name)
        let control = try RcloneControl(path) { !Self.isGone }
        try ask(control)
        let made = try RcloneRemote(RcloneRemote.ownName, nil, file: control.file)
        guard !Self.isGone else { throw RcloneControl.wasGivenUp }
        try Session.with(context) { conversation throws(ClientFailure) in
            let section = made.secret()
            if let remote = request.remote {
                return try Session.require(conversation.ask(remote, Enclosure(secret: section)).outcome)
            }
            let setting = SetRemote(name: name, newName: "", hasSecret: true)
            try Session.require(conversation.ask(setting, Enclosure(secret: section)).outcome)
        }
        return request.name
    }

    /// Makes the request for a new remote, under a name that is free, before somebody signs in for nothing.
    private func adding(_ path: String) throws(ClientFailure) -> (AddRemote?, String) {
        let taken = try Self.remotes(context).map(\.name)
        let word = service.backend
        guard let free = ([word] + (2...9).map { "\(word)\($0)" }).first(where: { !taken.contains($0) }) else {
            throw ClientFailure(
                .conflict, "there are nine remotes of \(word) already", hint: "vault remote rm, in a terminal")
        }
        var adding = AddRemote(
            name: try RemotePath.name(free), kind: .rclone, place: Array("\(word):\(place.drop { $0 == "/" })".utf8))
        adding.program = path
        return (adding, free)
    }

    /// Asks question after question, until rclone has no more.
    private func ask(_ control: RcloneControl) throws(ClientFailure) {
        var answer = try call(control, "config/create", RcloneRequest.begin(service))
        // What rclone says of an answer may come without a question: the next one shows it.
        var trouble: [UInt8]?
        for _ in 0..<Self.questionCountMax {
            guard answer.isDone else { throw Self.refused(answer.text("error")) }
            let state = answer.secret(of: "State")
            let said = answer.text("Error")
            guard state.byteCount > 2 else {
                guard said.isEmpty else { throw Self.refused(said) }
                return
            }
            if !said.isEmpty { trouble = answer.value("Error") }
            guard answer.value("Option") != nil else {
                let result = answer.secret(of: "Result")
                answer = try call(
                    control, "config/update", RcloneRequest.answer(service, state: state, result, isQuoted: true))
                continue
            }
            let isPassword = answer.isTrue("Option", "IsPassword")
            guard
                RcloneService.isAsked(
                    answer.text("Option", "Name"), isSetting: answer.begins("State", with: "*all-set"),
                    isNeeded: isPassword || answer.isTrue("Option", "Required"))
            else {
                let standard = answer.secret(of: "Option", "DefaultStr")
                answer = try call(
                    control, "config/update", RcloneRequest.answer(service, state: state, standard, isQuoted: true))
                continue
            }
            Self.write(Self.question(answer, trouble))
            trouble = nil
            let typed = try Self.secretLine()
            // rclone keeps a password as its own kind of cipher text, and takes no other.
            guard isPassword, typed.byteCount > 0 else {
                answer = try call(
                    control, "config/update", RcloneRequest.answer(service, state: state, typed, isQuoted: false))
                continue
            }
            let obscured = try call(control, "core/obscure", RcloneRequest.obscure(typed))
            answer = try call(
                control, "config/update",
                RcloneRequest.answer(service, state: state, obscured.secret(of: "obscured"), isQuoted: true))
        }
        throw ClientFailure(.aborted, "rclone keeps asking; nothing was changed", hint: "vault remote login")
    }

    private static func refused(_ said: String) -> ClientFailure {
        ClientFailure(
            .aborted, "rclone did not sign in: " + VisibleText.escaped(said), hint: "nothing was changed; begin again")
    }

    /// A question as the page shows it: rclone's own words, and what it said of the last answer.
    private static func question(_ answer: borrowing RcloneAnswer, _ trouble: [UInt8]?) -> [UInt8] {
        var line = Array("{\"question\":{".utf8)
        let parts = [
            ("name", answer.value("Option", "Name")), ("help", answer.value("Option", "Help")),
            ("standard", answer.value("Option", "DefaultStr")), ("choices", answer.value("Option", "Examples")),
            ("isExclusive", answer.value("Option", "Exclusive")), ("isNeeded", answer.value("Option", "Required")),
            ("isPassword", answer.value("Option", "IsPassword")), ("trouble", trouble),
        ]
        line += parts.compactMap { name, value in value.map { Array("\"\(name)\":".utf8) + $0 } }
            .joined(separator: [UInt8(ascii: ",")])
        return line + Array("}}".utf8)
    }

    /// Asks rclone, which may wait for somebody on a page of its own: then its address is written.
    private func call(
        _ control: RcloneControl, _ path: String, _ body: borrowing SecretBytes
    ) throws(ClientFailure) -> RcloneAnswer {
        let before = control.page
        var told = before
        return try control.call(path, body) {
            if let page = control.page, page != told {
                told = page
                Self.write(JSONText.object([("page", .string(page))]).encoded)
            }
            return !Self.isGone
        }
    }

    /// Whether nobody is there any more to ask.
    private static var isGone: Bool {
        var look = pollfd(fd: 0, events: 0, revents: 0)
        return unsafe poll(&look, 1, 0) > 0 && look.revents & Int16(POLLHUP | POLLERR) != 0
    }

    private static func write(_ line: [UInt8]) { _ = Streams.writeAll(line + [10], to: 1) }

    /// Reads one line that is no secret.
    private static func line() throws(ClientFailure) -> String {
        let line = try secretLine()
        return unsafe line.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Reads one line into locked memory, byte by byte. Who leaves a question alone has given it up.
    private static func secretLine() throws(ClientFailure) -> SecretBytes {
        var line = SecretBytes(zeroes: answerByteCountMax)
        var count = 0
        let end = Clock.now + millisecondsMax
        while count < line.byteCount {
            var look = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&look, 1, 1000) > 0 else {
                guard Clock.now < end else { throw RcloneControl.wasGivenUp }
                continue
            }
            let got = unsafe line.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress! + count, 1) }
            if got < 0 && errno == EINTR { continue }
            guard got == 1 else { throw RcloneControl.wasGivenUp }
            let at = count
            if unsafe line.withUnsafeBytes({ unsafe $0[at] }) == 10 { return line.prefix(count) }
            count += 1
        }
        throw .usage("this answer is longer than 8 KiB", hint: "nothing was changed; begin again")
    }
}
