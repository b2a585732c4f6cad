// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import ParserProtocol
internal import Presentation

/// `ImportReport` collects all that an import could not carry over: a part of it is told, all of it goes into
/// `--report FILE`.
struct ImportReport: ~Copyable {
    private var lines: [String] = []
    private let file: TargetFile?
    private var buffer: [UInt8] = []
    private var isFirst = true

    private static let lineCountMax = 1000

    /// Begins a report, in a file where a path is given.
    ///
    /// - Parameter path: a new file, 0600, which gets its name at the end.
    init(_ path: String?) throws(ClientFailure) {
        if let path { file = try TargetFile(path) } else { file = nil }
        if isWritten { buffer += Array("{\"schema\":1,\"losses\":[".utf8) }
    }

    var isWritten: Bool { file != nil }

    /// Adds a part of the source that came to nothing.
    mutating func add(_ part: LeftOutPart) throws(ClientFailure) {
        if lines.count < Self.lineCountMax {
            lines.append("not imported: \(VisibleText.escaped(String(part.path.prefix(300)))): \(part.sentence)")
        }
        try write(part.path, part.code, "", part.sentence)
    }

    /// Adds what a note does not carry in its place; the agent counts and tells it.
    mutating func add(_ loss: Loss, of source: String) throws(ClientFailure) {
        guard isWritten else { return }
        try write(source, "\(loss.code)", loss.detail, loss.code.sentence)
    }

    /// Adds losses that the agent found.
    mutating func add(fromAgent losses: ImportLosses) throws(ClientFailure) {
        for loss in losses.losses { try append(loss.json) }
    }

    /// Says to a person what was left out.
    ///
    /// - Parameter count: how many parts there were.
    func tell(count: UInt64) {
        for line in lines { Streams.warn(line) }
        if count > UInt64(lines.count) { Streams.warn("not imported: and \(count - UInt64(lines.count)) more") }
    }

    /// Gives the file its name.
    ///
    /// - Parameter totals: what the agent has done.
    mutating func keep(totals: ImportResult, _ end: EndImport, isComplete: Bool) throws(ClientFailure) {
        guard let file else { return }
        let zone = "\"timeZone\":\(JSONText.quoted(end.timeZone)),\"datesWithoutZone\":\(end.zonelessDateCount),"
        let counts = "\"found\":\(Self.counts(end.found)),\"delivered\":\(Self.counts(end.delivered)),"
        let tail =
            "\n],\"isComplete\":\(isComplete),\"leftOutCount\":\(end.leftOutCount),\(counts)\(zone)"
            + "\"done\":"
        buffer += Array(tail.utf8) + totals.json + Array("}\n".utf8)
        try flush(file)
        try file.keep()
    }

    private mutating func write(_ path: String, _ code: String, _ detail: String, _ sentence: String)
        throws(ClientFailure)
    {
        guard isWritten else { return }
        let fields = [("path", path), ("code", code), ("detail", detail), ("sentence", sentence)]
        try append(Array(("{" + fields.map { "\"\($0)\":\(JSONText.quoted($1))" }.joined(separator: ",") + "}").utf8))
    }

    private mutating func append(_ object: [UInt8]) throws(ClientFailure) {
        guard let file else { return }
        buffer += Array((isFirst ? "\n" : ",\n").utf8) + object
        isFirst = false
        if buffer.count > 1 << 16 { try flush(file) }
    }

    private mutating func flush(_ file: TargetFile) throws(ClientFailure) {
        guard Streams.writeAll(buffer, to: file.descriptor) else {
            throw ClientFailure(
                .localSaveFailed, "the report cannot be written: \(SystemError.text(errno))",
                hint: "name a place with room for --report")
        }
        buffer = []
    }

    private static func counts(_ counts: [UInt64]) -> String {
        guard !counts.isEmpty else { return "null" }
        return "{" + zip(EndImport.countNames, counts).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
