// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import JPEGWriting
internal import NIOCore
internal import NIOHTTP1
internal import ParserProtocol
internal import Presentation
internal import VaultFormat

/// `AttachmentRoutes` sends files to browsers and takes files and drawings from them. Contents go through pipes between
/// agent and browser, a piece at a time.
enum AttachmentRoutes {
    private static let fields = Route.Content.fields(64 << 10)
    /// Of a recording: of about a second.
    private static let piece = Route.Content.bytes(1 << 20)

    static let all: [Route] = [
        Route(.GET, "/file/*/*", .nothing) { site, exchange throws(ClientFailure) in
            try get(site, note: exchange.parameters[0], name: exchange.parameters[1], range: exchange.range)
        },
        Route(.GET, "/small/*/*", .nothing) { site, exchange throws(ClientFailure) in
            try small(site, note: exchange.parameters[0], name: exchange.parameters[1])
        },
        Route(.POST, "/api/attach/*", .stream) { site, exchange throws(ClientFailure) in
            try FileUpload(site, exchange).run()
        },
        Route(.POST, "/api/sketch/*", .bytes(4 << 20)) { site, exchange throws(ClientFailure) in
            try SketchUpload(site, exchange).run()
        },
        Route(.POST, "/api/record/*", piece, record),
        Route(.POST, "/api/recording/*", piece) { site, exchange throws(ClientFailure) in
            guard try site.recordings.find(exchange.parameters[0]).add(exchange.body) else {
                throw ClientFailure(.other, "the recording could not be passed on", hint: "")
            }
            return .json(Array("{}".utf8))
        },
        Route(.POST, "/api/recording/*/end", .nothing) { site, exchange throws(ClientFailure) in
            // One that was attached in a silence had all of its pieces by then: its page has seen none refused.
            _ = try site.recordings.take(exchange.parameters[0])?.finish()
            return .json(Array("{}".utf8))
        },
        Route(.POST, "/api/recording/*/drop", .nothing) { site, exchange throws(ClientFailure) in
            if let recording = try site.recordings.take(exchange.parameters[0]) {
                try recording.drop()
            } else if let kept = site.recordings.takeKept(exchange.parameters[0]) {
                return try site.asked(RemoveAttachments(ref: kept.note, names: [kept.attachment]))
            }
            return .json(Array("{}".utf8))
        },
        Route(.POST, "/api/attachment/remove", fields) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return try site.asked(RemoveAttachments(ref: fields.text("id"), names: fields.all("name")))
        },
        Route(.POST, "/api/attachment/caption", fields) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return try site.asked(
                CaptionAttachment(
                    ref: fields.text("id"), name: fields.text("name"), caption: fields.text("caption")))
        },
    ]

    /// Media types that a browser may show in its own window, by our record and not by what a file says of itself.
    private static let shown: Set<String> = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav",
        "audio/webm", "audio/flac", "video/mp4", "video/webm", "video/ogg", "image/svg+xml",
    ]
    private static let pieceByteCount = 256 << 10

    static func get(
        _ site: Site, note: String, name: String, range wantedRange: String?
    ) throws(ClientFailure) -> Answer {
        let line = try site.agents.new()
        // A page shows pictures again whenever a note changes: that is no use of the vault.
        line.connection.traits.isUnattended = wantedRange == nil
        var found: AttachmentDetails?
        let (outcome, _) = try line.connection.ask(DescribeAttachment(ref: note, name: name)) { event in
            if case .attachment(let described) = event { found = described.details }
        }
        guard outcome.code == .ok, let details = found else { return .failure(outcome) }
        // SVG is drawn by the page as a picture, in which no script runs, and never opened by itself.
        let isShown =
            shown.contains(details.mediaType) && (details.mediaType != "image/svg+xml" || details.kind == .sketch)
        var answer = Answer(.ok, [], isShown ? details.mediaType : "application/octet-stream")
        answer.fields = [
            ("Accept-Ranges", "bytes"),
            ("Content-Disposition", isShown && details.kind != .sketch ? "inline" : "attachment"),
            ("Content-Security-Policy", "sandbox; default-src 'none'"),
        ]
        var range: AgentProtocol.ByteRange?
        if let text = wantedRange {
            guard let wanted = RangeField(text, of: details.byteCount) else {
                answer.status = .rangeNotSatisfiable
                answer.fields.append(("Content-Range", "bytes */\(details.byteCount)"))
                return answer
            }
            range = AgentProtocol.ByteRange(offset: wanted.first, count: wanted.count)
            answer.status = .partialContent
            answer.fields.append(("Content-Range", "bytes \(wanted.first)-\(wanted.last)/\(details.byteCount)"))
        }
        answer.byteCount = range?.count ?? details.byteCount
        let request = GetAttachment(ref: note, name: name, range: range)
        answer.stream = { writer in
            if (try? send(request, line, writer)) == nil { writer.fail() }
        }
        return answer
    }

    /// Begins a recording with its first piece, which says what it is.
    @Sendable private static func record(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let name = try exchange.fileName()
        let kind = try FileUpload.kind(of: exchange.body, site)
        guard [.audio, .video].contains(kind.detailsKind) else {
            throw .usage("this is no recording", hint: "")
        }
        let file = AddedFile(name: name, kind: kind.detailsKind, mediaType: kind.mediaType)
        let recording = try Recording(file, of: exchange.parameters[0], over: try site.agents.new())
        guard recording.add(exchange.body), let number = site.recordings.add(recording) else {
            try? recording.drop()
            throw ClientFailure(.conflict, "another recording is under way", hint: "end it first")
        }
        site.watchRecordings(exchange.channel.eventLoop)
        return .json(JSONText.object([("recording", .int(Int64(number)))]).encoded)
    }

    static func small(_ site: Site, note: String, name: String) throws(ClientFailure) -> Answer {
        let line = try site.agents.new()
        line.connection.traits.isUnattended = true
        var picture: ShownPicture?
        let request = ShowThumbnail(ref: note, name: name)
        let (outcome, _) = try line.connection.ask(request) { event in
            if case .picture(let shown) = event { picture = shown }
        }
        guard outcome.code == .ok, let picture else { return .failure(outcome) }
        let (width, height) = (Int(picture.width), Int(picture.height))
        guard let file = SmallJPEG.encode(rgba: picture.pixels, width: width, height: height) else {
            return .failure(Outcome(.other, "there is no memory left"))
        }
        var answer = Answer(.ok, file, "image/jpeg")
        answer.fields = [("Content-Security-Policy", "sandbox; default-src 'none'")]
        return answer
    }

    /// Has the agent write into a pipe, and the browser read from it; a reader that goes away ends both.
    private static func send(_ request: GetAttachment, _ line: AgentLine, _ writer: BodyWriter) throws(ClientFailure) {
        var pipe = try Pipe()
        try line.connection.send(request, Enclosure(descriptor: pipe.writingEnd))
        pipe.closeWriting()
        while true {
            var piece = ByteBufferAllocator().buffer(capacity: pieceByteCount)
            let end = pipe.readingEnd
            let got = unsafe piece.writeWithUnsafeMutableBytes(minimumWritableBytes: pieceByteCount) { raw in
                while true {
                    let got = unsafe read(end, raw.baseAddress!, raw.count)
                    if got < 0 && errno == EINTR { continue }
                    return max(0, got)
                }
            }
            if got == 0 { break }
            // The connection goes with its line: the agent stops writing.
            guard writer.write(piece) else { return }
        }
        let (outcome, _) = try line.connection.answer(to: request)
        try outcome.require()
    }
}

/// `RangeField` is the one range that a `Range` field asks for (RFC 9110 §14.1.2).
package struct RangeField: Equatable {
    package let first: UInt64
    package let last: UInt64
    package var count: UInt64 { last - first + 1 }

    /// Reads the field; nil for several ranges, and for one that no byte is in.
    package init?(_ text: String, of byteCount: UInt64) {
        guard text.hasPrefix("bytes="), byteCount > 0 else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, !text.contains(","), !text.contains("+") else { return nil }
        if ends[0].isEmpty {
            guard let suffix = UInt64(ends[1]), suffix > 0 else { return nil }
            (first, last) = (byteCount - min(suffix, byteCount), byteCount - 1)
            return
        }
        guard let begin = UInt64(ends[0]), begin < byteCount else { return nil }
        if ends[1].isEmpty {
            last = byteCount - 1
        } else {
            guard let end = UInt64(ends[1]), end >= begin else { return nil }
            last = min(end, byteCount - 1)
        }
        first = begin
    }
}
