// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ForeignPrograms
internal import ForeignRecords

/// Says what a file or folder is an export of, and refuses what cannot be the format that was named.
///
/// The client reads the beginning of a file, or the names in a folder; what they mean is said by `vault-parse`, since others wrote them.
struct ImportDetection {
    /// Nil when the parser ended on what it was shown: nothing is known of the source then.
    private let answer: SourceAnswer?
    private let isFolder: Bool
    /// As it is shown.
    private let name: String

    init(_ source: borrowing ImportSource) throws(ClientFailure) {
        isFolder = source.isFolder
        name = VisibleText.escaped(source.name)
        let question = try MemoryFile(RecordFrame.enclosing(SourceSample.question(source).encoded))
        let parser = try ParserFilter(["source"], input: question.descriptor)
        answer = parser.readAll(max: SourceAnswer.byteCountMax).flatMap { try? SourceAnswer(parsing: $0) }
    }

    private var found: [ImportFormat] { ImportFormat.allCases.filter { answer?.formats.contains($0.rawValue) == true } }
    private var program: ForeignProgram? { answer?.program.flatMap(ForeignProgram.named) }

    /// What it is, for a person: another program's name where that program writes a format of ours.
    func title(_ format: ImportFormat) -> String {
        guard let program, program.format == format.rawValue else { return format.title }
        return program.name
    }

    /// - Throws: `.usage` for a source of another program, with what to do, and for one that could be nothing, or more than one thing.
    func format() throws(ClientFailure) -> ImportFormat {
        guard answer != nil else {
            throw ClientFailure(.other, "cannot determine what \(name) is: vault-parse ended", hint: "name the format: \(ImportFormat.list)")
        }
        if found.count == 1, let only = found.first { return only }
        if found.isEmpty, let program { throw Self.refusal(program, name) }
        guard !found.isEmpty else {
            throw .usage(
                "cannot determine what \(name) is an export of: its format is not known",
                hint: "export it as Markdown from its program, then vault import markdown FOLDER; formats: \(ImportFormat.list)")
        }
        throw .usage(
            "\(name) could be \(found.map(\.rawValue).joined(separator: " or "))", hint: "name the format; all of them: \(ImportFormat.list)")
    }

    /// - Throws: `.usage` for a file where a folder is wanted, for another program's file, and for what is plainly encrypted.
    func check(_ format: ImportFormat) throws(ClientFailure) {
        guard let answer else { return }
        // A folder that somebody calls one of Markdown is looked through for it, whatever else it is.
        if found.isEmpty, answer.encrypted.isEmpty, let program, !program.yields, !(isFolder && format == .markdown) {
            throw Self.refusal(program, name)
        }
        // A tar that is not called .jex: our own Markdown export may be one.
        let isTar = found.contains(.joplin) && found.contains(.json)
        guard isFolder || format.takesFile || (format == .markdown && isTar) else {
            throw .usage("\(name) is a file; \(format.rawValue) imports a folder", hint: "name the folder that contains it")
        }
        guard answer.encrypted.contains(format.rawValue) else { return }
        throw .usage(format == .jrnl ? "this journal is encrypted" : "this backup is encrypted", hint: format.decryptionHint)
    }

    private static func refusal(_ program: ForeignProgram, _ name: String) -> ClientFailure {
        .usage("\(name) is \(program.name), which vault does not import directly", hint: program.advice)
    }
}
