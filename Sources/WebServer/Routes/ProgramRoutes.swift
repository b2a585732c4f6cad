// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import ParserProtocol
internal import Presentation
internal import TextReading
internal import WebProtocol

/// `ProgramRoutes` answers with what other programs say, which `vault` starts for this server: reports, an export, an
/// import, a clip's words, a QR code.
enum ProgramRoutes {
    /// An hour of speech, as the page records it at 32 kbit/s; in bytes.
    static let clipByteCountMax = 16 << 20
    static let dictationSecondsMax = 600.0
    private static let reportByteCountMax = 8 << 20
    private static let reports: [String: WebAsk] = ["doctor": .doctor, "keys": .keys, "settings": .settings]

    static let all: [Route] = [
        Route(.POST, "/api/report/*", .nothing) { site, exchange throws(ClientFailure) in
            guard let ask = reports[exchange.parameters[0]] else { throw .usage("there is no such report", hint: "") }
            let (said, _) = try answer(of: ask, [], site)
            // A report of problems ends with 1.
            guard said.first == 0x7B else { throw ClientFailure(.other, "the report could not be made", hint: "") }
            return .json(said)
        },
        Route(.POST, "/api/features", .nothing) { site, _ in
            .json(JSONText.object([("dictation", .bool(site.start.hasDictation))]).encoded)
        },
        Route(.POST, "/api/export", .nothing, export),
        Route(.POST, "/api/export/end", .nothing) { site, _ in
            .json(JSONText.object([("code", .int(Int64(site.exportEnd.withLockedValue { $0 })))]).encoded)
        },
        Route(.POST, "/api/import/*", .stream, takeFile),
        Route(.POST, "/api/dictation", .bytes(clipByteCountMax)) { site, exchange throws(ClientFailure) in
            guard site.beginDictation() else {
                throw ClientFailure(.conflict, "another clip is being written down", hint: "wait for its end")
            }
            defer { site.endDictation() }
            let (said, code) = try answer(of: .dictation, exchange.body, site)
            guard code == 0, let text = String(validating: said, as: UTF8.self) else {
                throw ClientFailure(
                    .other, "the program of dictation.command ended with \(code), or wrote what is no text",
                    hint: "vault config get dictation.command")
            }
            return .json(JSONText.object([("text", .string(text))]).encoded)
        },
        Route(.POST, "/api/code", .bytes(QRCodeRecord.textByteCountMax)) { site, exchange throws(ClientFailure) in
            let (said, code) = try answer(of: .code, RecordFrame.enclosing(exchange.body), site)
            guard code == 0, let code = try? QRCodeRecord(parsing: said) else {
                throw .usage("this text is too long for a code", hint: "")
            }
            let rows = (0..<code.side).map { y in
                JSONText.string(String((0..<code.side).map { code.isDark($0, y) ? "1" : "0" }))
            }
            return .json(JSONText.object([("rows", .array(rows))]).encoded)
        },
    ]

    /// Starts a program, gives it bytes, and returns what it writes and its exit code.
    static func answer(
        of ask: WebAsk, _ bytes: [UInt8], _ site: Site, number: UInt8 = 0, seconds: Double = dictationSecondsMax
    ) throws(ClientFailure) -> (said: [UInt8], code: Int32) {
        let program = try site.supervisor.parser(ask, number)
        let said = PipeExchange.run(bytes, program.input, program.output, max: reportByteCountMax, seconds)
        let code = try site.supervisor.end(of: program.number)
        guard let said else { throw ClientFailure(.other, "the answer took too long, or is too large", hint: "") }
        return (said, code)
    }

    /// Everything as JSON, as it is written; an export that fails is cut short, which the browser sees.
    @Sendable private static func export(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let program = try site.supervisor.parser(.export)
        close(program.input)
        var answer = Answer(.ok, [], "application/octet-stream")
        answer.stream = { writer in
            var isOpen = true
            while isOpen {
                var piece = ByteBufferAllocator().buffer(capacity: 256 << 10)
                let got = unsafe piece.writeWithUnsafeMutableBytes(minimumWritableBytes: 256 << 10) { raw in
                    max(0, unsafe read(program.output, raw.baseAddress!, raw.count))
                }
                if got == 0 { break }
                isOpen = writer.write(piece)
            }
            close(program.output)
            let code = (try? site.supervisor.end(of: program.number)) ?? -1
            site.exportEnd.withLockedValue { $0 = code }
            // 12: something is missing, which the page asks for and says.
            if code != 0 && code != 12 { writer.fail() }
        }
        return answer
    }

    /// Imports a file, and answers with what could not be carried over.
    @Sendable private static func takeFile(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        guard let upload = exchange.upload,
            let kind = ImportedFileKind.allCases.first(where: { $0.ending == exchange.parameters[0] })
        else { throw .usage("files of this kind are not imported", hint: "vault import in a terminal") }
        guard let head = DroppedFile(name: try exchange.fileName(), contentByteCount: upload.byteCount) else {
            throw .usage("the file has no name that a file can have", hint: "give it another one")
        }
        let program = try site.supervisor.parser(.importFile, kind.rawValue)
        // Of a file that does not come to its end nothing is imported: its size goes before it.
        var isWritten = PipeWriting.write(head.encoded, to: program.input)
        while isWritten, let piece = upload.next() {
            isWritten = PipeWriting.write(Array(piece.readableBytesView), to: program.input)
        }
        close(program.input)
        while upload.next() != nil {}
        let said = try? FileBytes.read(program.output, max: 64 << 20)
        close(program.output)
        let code = try site.supervisor.end(of: program.number)
        guard upload.isWhole else {
            throw ClientFailure(.other, "the file did not come to its end", hint: "drop it again")
        }
        guard let said, said.first == 0x7B else {
            throw ClientFailure(
                .other, "this file could not be imported", hint: "vault import auto FILE in a terminal says more")
        }
        return .json(Array("{\"code\":\(code),\"report\":".utf8) + said + Array("}".utf8))
    }
}

/// `PipeExchange` gives a program bytes and takes what it says at the same time: it may answer before it has read all.
enum PipeExchange {
    /// Closes both ends.
    ///
    /// - Returns: what it said; nil when that was more than `max` bytes, or took longer than so many seconds.
    static func run(_ bytes: [UInt8], _ input: Int32, _ output: Int32, max: Int, _ seconds: Double) -> [UInt8]? {
        var (input, done, said) = (input, 0, [UInt8]())
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let end = BootTime.seconds + seconds
        _ = fcntl(input, F_SETFL, fcntl(input, F_GETFL) | O_NONBLOCK)
        defer {
            if input >= 0 { close(input) }
            close(output)
            for index in piece.indices { piece[index] = 0 }
        }
        while BootTime.seconds < end {
            if input >= 0, done == bytes.count {
                close(input)
                input = -1
            }
            var waiting = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
            ]
            guard unsafe poll(&waiting, 2, 1000) > 0 else { continue }
            if waiting[1].revents != 0 {
                let sent = unsafe bytes.withUnsafeBytes { raw in
                    unsafe write(input, raw.baseAddress! + done, raw.count - done)
                }
                // It has closed its end: what it says still counts.
                if sent < 0, errno != EAGAIN, errno != EINTR { done = bytes.count }
                if sent > 0 { done += sent }
            }
            guard waiting[0].revents != 0 else { continue }
            let got = unsafe read(output, &piece, piece.count)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return said }
            guard said.count + got <= max else { return nil }
            said += piece[..<got]
        }
        return nil
    }
}
