// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import VaultFormat
internal import WebProtocol

/// `WebSupervisor` is `vault` beside its confined server: it opens what the server may not, and passes it on. Spec:
/// docs/web-protocol.md.
///
/// It is this program once more, in a session of its own.
final class WebSupervisor {
    /// The hidden command: `vault __web DIRECTORY PORT`.
    static let command = "__web"
    /// Behind it: the page is at a number, not at a name of its own.
    private static let number = "number"
    private static let tokenSecondsMax = 30.0

    private let location: VaultLocation
    private let place: WebPlace
    private let server: WebServerProcess
    private let start: WebStart
    /// Numbers of sign-ins that are under way.
    private var signIns: Set<UInt8> = []
    private let orders: (descriptor: Int32, lock: Int32)
    private var tokenFile: (path: String, since: Double)?
    /// A watch of our own: when the vault is locked, the page ends.
    private var watch: WebWatch?

    /// Starts it, and waits until the page can be asked for.
    static func start(
        _ location: VaultLocation, port: UInt16, isNumeric: Bool, _ target: PageTarget
    ) throws(ClientFailure) -> WebAddress {
        // What it is to show is in no command line, which every user of the machine can read.
        var order: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&order) == 0 else { throw SystemError.failure("cannot make a pipe", errno) }
        defer { close(order[0]) }
        _ = Streams.writeAll(Array(target.text.utf8), to: order[1])
        close(order[1])
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw SystemError.failure("cannot make a pipe", errno) }
        defer { close(ends[0]) }
        let directory = String(decoding: location.directory, as: UTF8.self)
        let words = [command, directory, String(port)] + (isNumeric ? [number] : [])
        do throws(ClientFailure) {
            _ = try ChildProgram.startApart("/proc/self/exe", name: "vault", words, input: order[0], output: ends[1])
            close(ends[1])
        } catch {
            close(ends[1])
            throw error
        }
        guard let bytes = try? FileBytes.read(ends[0], max: 16 << 10), !bytes.isEmpty else {
            throw ClientFailure(.other, "the page could not be started", hint: "vault doctor")
        }
        if let address = WebAddress(parsing: bytes) { return address }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        throw ClientFailure(
            .other, String(lines.dropFirst().first ?? "the page could not be started"),
            hint: String(lines.dropFirst(2).first ?? ""))
    }

    /// Runs the hidden command.
    static func run(_ words: [String]) -> Int32 {
        // Whoever asked for the address may have gone.
        signal(SIGPIPE, SIG_IGN)
        guard words.count == 2 || words.count == 3 && words[2] == number, let port = UInt16(words[1]),
            let order = try? FileBytes.read(0, max: 1 + PageTarget.byteCountMax),
            let target = PageTarget(parsing: String(decoding: order, as: UTF8.self))
        else { return 2 }
        do throws(ClientFailure) {
            let supervisor = try WebSupervisor(try VaultLocation(words[0]), port, isNumeric: words.count == 3)
            _ = Streams.writeAll(try supervisor.newAddress(supervisor.start.token, target).encoded, to: 1)
            close(1)
            supervisor.loop()
            return 0
        } catch {
            _ = Streams.writeAll(Array("!\n\(error.outcome.message)\n\(error.outcome.hint)\n".utf8), to: 1)
            return Int32(error.outcome.code.rawValue)
        }
    }

    private init(_ location: VaultLocation, _ port: UInt16, isNumeric: Bool) throws(ClientFailure) {
        self.location = location
        place = try WebPlace(location)
        var start = WebStart()
        if !isNumeric { start.label = try place.label() }
        start.token = try Self.newToken()
        start.directory = location.directory
        start.identity = location.identity
        start.timeZone = Environment.text("TZ") ?? ""
        start.name = location.name
        let settings = Self.settings(location)
        (start.idleSeconds, start.maxSeconds) = (settings.lockIdleSeconds, settings.lockMaxSeconds)
        start.noteIdleSeconds = settings.lockNoteSeconds
        start.readsTags = settings.readsTags
        start.hasDictation = settings.dictationCommand != nil
        server = try WebServerProcess(port)
        start.port = server.port
        self.start = start
        orders = try place.listen()
        try server.begin(start)
    }

    deinit {
        unsafe unlink(place.socketPath)
        close(orders.descriptor)
        close(orders.lock)
        removeTokenFile()
        server.endAll()
        // What an import or a sign-in that was ended with this page had there.
        PrivateFolder.removeIfLeft("import")
        PrivateFolder.removeIfLeft(RcloneControl.purpose)
    }

    private static func newToken() throws(ClientFailure) -> [UInt8] {
        var token = [UInt8](repeating: 0, count: WebStart.tokenByteCount)
        guard unsafe vs_random(&token, token.count) == 0 else {
            throw ClientFailure(.other, "there are no random numbers")
        }
        return token
    }

    private func newAddress(_ token: [UInt8], _ target: PageTarget) throws(ClientFailure) -> WebAddress {
        removeTokenFile()
        let url = "\(start.origin)/#t=\(hexadecimal(token))\(target.fragment)"
        let file = try place.writeTokenFile(url)
        tokenFile = (file, Self.seconds)
        return WebAddress(file: file, url: url)
    }

    private func removeTokenFile() {
        if let tokenFile { unsafe unlink(tokenFile.path) }
        tokenFile = nil
    }

    private static var seconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A file of settings in the vault's own folder counts for nothing.
    private static func settings(_ location: VaultLocation) -> Settings {
        var options = GlobalOptions()
        options.vault = String(decoding: location.directory, as: UTF8.self)
        return Context(options: options).settingsOrDefaults
    }
    private var settings: Settings { Self.settings(location) }
    private var path: String { String(decoding: location.directory, as: UTF8.self) }

    // MARK: The loop

    private func loop() {
        watch = try? WebWatch(location)
        while true {
            var waiting = [
                pollfd(fd: server.channel.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: orders.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            unsafe poll(&waiting, 3, tokenFile == nil ? -1 : 1000)
            if let tokenFile, Self.seconds - tokenFile.since > Self.tokenSecondsMax { removeTokenFile() }
            if waiting[0].revents != 0, !serve() { return }
            if waiting[1].revents != 0, !takeOrder() { return }
            if waiting[2].revents != 0, watch?.goesOn() == false, !isOpen {
                // The page hears of the lock by itself, and has a moment to say so.
                watch = nil
                usleep(500_000)
                return
            }
        }
    }

    /// Whether somebody still has the vault open: a watch may end for other reasons than a lock.
    private var isOpen: Bool {
        watch = try? WebWatch(location)
        return watch != nil
    }

    /// Answers one question of the server; false when it has ended.
    private func serve() -> Bool {
        guard let packet = server.channel.receive(max: 16) else { return false }
        if let passed = packet.passed { close(passed) }
        guard (1...2).contains(packet.bytes.count), let ask = WebAsk(rawValue: packet.bytes[0]) else { return false }
        do throws(ClientFailure) { return try answer(ask, packet.bytes.count == 2 ? packet.bytes[1] : 0) } catch {
            let kind: WebAnswer.Kind = error.outcome.code == .locked ? .locked : .failed
            let answer = WebAnswer(kind, error.outcome.message, hint: error.outcome.hint)
            return server.channel.send(answer.encoded)
        }
    }

    private func answer(_ ask: WebAsk, _ number: UInt8) throws(ClientFailure) -> Bool {
        let done = WebAnswer(.done).encoded
        switch ask {
        case .agent:
            guard let channel = try AgentConnection.channel(to: location.vaultID()) else {
                throw ClientFailure(.locked, "the vault is locked")
            }
            if watch == nil { watch = try? WebWatch(location) }
            return server.channel.send(done, with: channel.descriptor)
        case .newAgent:
            // Nobody is waited for here: the lock and `--stop` come through this loop too.
            if let holder = try VaultHolder.find(location) {
                throw ClientFailure(.conflict, "\(holder.name) has this vault open", hint: holder.ending)
            }
            let channel = try AgentLauncher.start().takeChannel()
            return server.channel.send(done, with: channel.descriptor)
        case .kind: return passOn(try server.startParser("kind"))
        case .strip: return passOn(try server.startParser("strip"))
        case .code: return passOn(try server.startParser("qr-code"))
        case .doctor: return passOn(try ours(["doctor"]))
        case .keys: return passOn(try ours(["key", "ls"]))
        case .settings: return passOn(try ours(["config", "ls"]))
        case .export: return passOn(try ours(["export", "json", "--plaintext", "--trash", "-o", "-", "--quiet"]))
        case .importFile:
            guard let kind = ImportedFileKind(rawValue: number) else { return false }
            return passOn(
                try server.startProgram(
                    "/proc/self/exe", name: "vault", [PageImport.command, kind.ending, path]))
        case .searchBooks, .agreeToBooks, .addBook:
            guard let errand = PageBooks.Errand(ask, number) else { return false }
            return passOn(
                try server.startProgram("/proc/self/exe", name: "vault", [PageBooks.command, errand.word, path]))
        case .signIn:
            let program = try server.startProgram("/proc/self/exe", name: "vault", [PageSignIn.command, path])
            signIns.insert(program.number)
            return passOn(program)
        case .dictation:
            guard let command = settings.dictationCommand else {
                throw ClientFailure(
                    .usage, "no program is set that turns speech into text",
                    hint: "vault config set dictation.command COMMAND")
            }
            // The owner's own words, as a shell reads them.
            return passOn(try server.startProgram("/bin/sh", ["-c", command]))
        case .ended:
            let code = server.endOfParser(number)
            // One that was killed has left what rclone kept for it.
            if signIns.remove(number) != nil { PrivateFolder.removeIfLeft(RcloneControl.purpose) }
            return server.channel.send(WebAnswer(.done, String(code)).encoded)
        case .parsed:
            guard server.endOfParser(number) == 0 else { throw ClientFailure(.other, "vault-parse failed") }
            return server.channel.send(done)
        case .tokenUsed:
            removeTokenFile()
            return server.channel.send(done)
        }
    }

    /// Starts this program once more for one of its commands, as a person would type it.
    private func ours(_ words: [String]) throws(ClientFailure) -> (input: Int32, output: Int32, number: UInt8) {
        let asked = words.contains("export") ? [] : ["--json"]
        return try server.startProgram(
            "/proc/self/exe", name: "vault", words + asked + ["--no-input", "--vault", path])
    }

    /// Gives the server both ends of a program that was started for it.
    private func passOn(_ program: (input: Int32, output: Int32, number: UInt8)) -> Bool {
        defer { close(program.input) }
        let numbered = WebAnswer(.done, String(program.number)).encoded
        let isPassed =
            server.channel.send(numbered, with: program.input) && server.channel.send(numbered, with: program.output)
        server.passedOutput(of: program.number)
        return isPassed
    }

    /// Does what another `vault web` asks for; false when the page is to end.
    private func takeOrder() -> Bool {
        let client = accept(orders.descriptor, nil, nil)
        guard client >= 0 else { return true }
        defer { close(client) }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        unsafe setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 2 + PageTarget.byteCountMax)
        guard AgentAddress.peerIsUs(client), case let count = unsafe read(client, &bytes, bytes.count), count > 0,
            let order = WebPlace.Order(rawValue: bytes[0])
        else { return true }
        switch order {
        case .stop: return false
        case .open:
            // One session at a time: whoever opens the page anew has a new server.
            guard let target = PageTarget(parsing: String(decoding: bytes[1..<count], as: UTF8.self)),
                let token = try? Self.newToken(), server.renew(token), let address = try? newAddress(token, target)
            else { return true }
            _ = Streams.writeAll(address.encoded, to: client)
            return true
        }
    }
}
