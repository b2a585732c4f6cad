// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import ForeignPrograms
internal import Glibc
public import ParserProtocol

/// `ImportDetection` says what a file or folder is an export of, and refuses what cannot be the format that was named.
///
/// A front end reads the beginning of a file, or the names in a folder; what they mean is said by `vault-parse`, since
/// others wrote them.
public struct ImportDetection {
    /// Nil when the parser ended on what it was shown: nothing is known of the source then.
    private let answer: SourceAnswer?
    private let isFolder: Bool
    /// As it is shown.
    private let name: String

    /// Asks `vault-parse` what a source is. An unknown source is not a failure.
    public init(_ source: borrowing ImportSource) throws(ClientFailure) {
        isFolder = source.isFolder
        name = VisibleText.escaped(source.name)
        let question = try MemoryFile(RecordFrame.enclosing(SourceSample.question(source).encoded))
        let parser = try ParserFilter(["source"], input: question.descriptor)
        answer = (try? parser.readAll(max: SourceAnswer.byteCountMax)).flatMap { try? SourceAnswer(parsing: $0) }
    }

    private var found: [ImportFormat] { ImportFormat.allCases.filter { answer?.formats.contains($0.rawValue) == true } }
    private var program: ForeignProgram? { answer?.program.flatMap(ForeignProgram.named) }

    /// Says what it is, for a person: another program's name where that program writes a format of ours.
    public func title(_ format: ImportFormat) -> String {
        guard let program, program.format == format.rawValue else { return format.declaration.title }
        return program.name
    }

    /// Returns the one format that the source can be an export of.
    ///
    /// - Throws: `.usage` for a source of another program, with what to do, and for one that could be nothing, or more
    ///   than one thing; `.other` if vault-parse ended without an answer.
    public func format() throws(ClientFailure) -> ImportFormat {
        guard answer != nil else {
            throw ClientFailure(
                .other, "cannot determine what \(name) is: vault-parse ended",
                hint: "name the format: \(ImportFormat.list)")
        }
        if found.count == 1, let only = found.first { return only }
        if found.isEmpty, let program { throw Self.refusal(program, name) }
        guard !found.isEmpty else {
            throw .usage(
                "cannot determine what \(name) is an export of: its format is not known",
                hint:
                    "export it as Markdown from its program, then vault import markdown FOLDER; formats: \(ImportFormat.list)"
            )
        }
        throw .usage(
            "\(name) could be \(found.map(\.rawValue).joined(separator: " or "))",
            hint: "name the format; all of them: \(ImportFormat.list)")
    }

    /// Refuses a source that cannot be an export in the named format.
    ///
    /// - Throws: `.usage` for a file where a folder is wanted, for another program's file, and for what is plainly
    ///   encrypted.
    public func check(_ format: ImportFormat) throws(ClientFailure) {
        guard let answer else { return }
        // A folder that somebody calls one of Markdown is looked through for it, whatever else it is.
        if found.isEmpty, answer.encrypted.isEmpty, let program, !program.yields, !(isFolder && format == .markdown) {
            throw Self.refusal(program, name)
        }
        // A tar that is not called .jex: our own Markdown export may be one.
        let isTar = found.contains(.joplin) && found.contains(.json)
        guard isFolder || format.declaration.takesFile || (format == .markdown && isTar) else {
            throw .usage(
                "\(name) is a file; \(format.rawValue) imports a folder", hint: "name the folder that contains it")
        }
        guard answer.encrypted.contains(format.rawValue) else { return }
        throw .usage(
            "this \(format.declaration.noun) is encrypted", hint: format.declaration.decryptionHint)
    }

    private static func refusal(_ program: ForeignProgram, _ name: String) -> ClientFailure {
        .usage("\(name) is \(program.name), which vault does not import directly", hint: program.advice)
    }
}

/// `SourceSample` is the bounded part of a source that is looked at to say what it is.
enum SourceSample {
    /// Hidden names that say which program keeps a folder; the walk leaves hidden names alone.
    private static let hiddenNames = [
        ".obsidian", ".gpg-id", ".age-recipients", ".ztr-directory", ".foam", ".nb", ".index",
        ".silverbullet.auto.yaml", ".joplin", ".zk", ".nnbackup",
    ]
    /// Of each kind of file so many names come first, so that the cap on names hides no kind.
    private static let nameCountOfKind = 32

    static func question(_ source: borrowing ImportSource) -> SourceQuestion {
        let name = Array(source.name.utf8)
        guard source.isFolder else {
            let head = source.head(SourceQuestion.headByteCountMax)
            // The end of what is sealed is not looked at: all of it would have to be opened.
            return SourceQuestion(file: name, head: head, tail: source.isSealed ? [] : tail(source.descriptor))
        }
        let paths = representative(FolderWalk(folder: source.descriptor, .everything).files)
        let folder = source.descriptor
        let hidden = hiddenNames.filter { has($0, in: folder) }.map { Array($0.utf8) }
        return SourceQuestion(folder: name, names: hidden + paths, samples: samples(paths, folder))
    }

    /// Returns the last bytes of a file that is longer than what was read of its beginning; a shorter one is looked at
    /// again.
    private static func tail(_ descriptor: Int32) -> [UInt8] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return [] }
        return read(
            descriptor, SourceQuestion.tailByteCountMax,
            at: max(0, Int64(status.st_size) - Int64(SourceQuestion.tailByteCountMax)))
    }

    private static func read(_ descriptor: Int32, _ count: Int, at offset: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress!, $0.count, off_t(offset))
        }
        return Array(bytes[0..<max(got, 0)])
    }

    /// Returns what stands behind the last dot of a path.
    private static func ending(_ path: [UInt8]) -> [UInt8] {
        let name = path[((path.lastIndex(of: 0x2F) ?? -1) + 1)...]
        guard let dot = name.lastIndex(of: 0x2E), name.endIndex - dot <= 16 else { return [] }
        return Array(name[dot...])
    }

    private static func representative(_ paths: [[UInt8]]) -> [[UInt8]] {
        guard paths.count > SourceQuestion.nameCountMax else { return paths }
        var seen: [[UInt8]: Int] = [:]
        var (first, rest): ([[UInt8]], [[UInt8]]) = ([], [])
        for path in paths {
            let count = seen[ending(path), default: 0]
            seen[ending(path)] = count + 1
            if count < nameCountOfKind { first.append(path) } else { rest.append(path) }
        }
        return first + rest
    }

    /// Returns the beginnings of the first two files of each kind.
    private static func samples(_ paths: [[UInt8]], _ folder: Int32) -> [SourceQuestion.Sample] {
        var seen: [[UInt8]: Int] = [:]
        var samples: [SourceQuestion.Sample] = []
        for path in paths where samples.count < SourceQuestion.sampleCountMax {
            let count = seen[ending(path), default: 0]
            guard count < 2 else { continue }
            seen[ending(path)] = count + 1
            guard let (file, _) = try? FolderFile.open(path, in: folder) else { continue }
            defer { close(file) }
            samples.append(.init(path: path, head: read(file, SourceQuestion.sampleByteCountMax, at: 0)))
        }
        return samples
    }

    private static func has(_ name: String, in folder: Int32) -> Bool {
        var status = stat()
        return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }
}
