// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ArchiveReading
internal import ForeignFormats
internal import ParserProtocol

/// Files of other programs.
extension FuzzTarget {
    static let imports =
        [frontMatter, source]
        + ImportFormat.allCases.map { format in FuzzTarget(format.rawValue) { delivers(format, ContainerBytes($0)) }
        } + [
            packed
        ]

    private static let frontMatter = FuzzTarget("front-matter") { bytes in
        guard let file = try? ForeignFile(path: Array("folder/note.md".utf8), modified: 0, content: bytes) else {
            return true
        }
        let note = MarkdownNote.parse(file)
        return (try? ParsedNote(parsing: note.encoded)) == note
    }

    /// What a source is: half of the input as a file's beginning and end, all of it as a question; the answer reads
    /// back as itself.
    private static let source = FuzzTarget("source") { bytes in
        let middle = bytes.count / 2
        let file = SourceQuestion(file: Array(bytes.prefix(32)), head: bytes, tail: Array(bytes[middle...]))
        let names = bytes.split(separator: 0x0A).map { Array($0) }
        let folder = SourceQuestion(
            folder: Array(bytes.prefix(32)), names: names,
            samples: names.prefix(16).map { .init(path: $0, head: bytes) })
        for question in [file, folder] {
            guard (try? SourceQuestion(parsing: question.encoded)) == question else { return false }
            let answer = SourceRecognition.answer(to: question)
            guard (try? SourceAnswer(parsing: answer.encoded)) == answer else { return false }
        }
        return identity(SourceQuestion.init(parsing:), \.encoded, bytes)
            && identity(FileKind.init(parsing:), \.encoded, bytes)
    }

    /// One file that is a zip, a tar or what stands for itself.
    private static let packed = FuzzTarget("packed") { bytes in
        let container = ContainerBytes(files: [(path: Array("backup".utf8), content: bytes)])
        return delivers(.joplin, PackedSource.opening(container))
    }

    /// Every record reads back as itself, the last one alone is a summary, and attachments come before the notes that
    /// name them.
    private static func delivers(_ format: ImportFormat, _ source: any EntrySource) -> Bool {
        var holds = true
        var hasEnded = false
        var keys: Set<String> = []
        format.run(
            source,
            ImportOutput { record in
                if hasEnded || (try? ImportRecord(parsing: record.encoded)) != record { holds = false }
                switch record {
                case .summary: hasEnded = true
                case .attachmentStart(let start): holds = holds && keys.insert(start.key).inserted
                case .note(let note): holds = holds && note.attachments.allSatisfy { keys.contains($0.key) }
                default: break
                }
            })
        return holds && hasEnded
    }
}
