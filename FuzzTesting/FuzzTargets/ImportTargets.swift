// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ArchiveReading
internal import ForeignFormats
internal import ForeignRecords

/// Files of other programs.
extension FuzzTarget {
    static let imports =
        [frontMatter] + ContainerFormat.allCases.map { format in FuzzTarget(format.rawValue) { delivers(format, ContainerBytes($0)) } } + [packed]

    private static let frontMatter = FuzzTarget("front-matter") { bytes in
        guard let file = try? ForeignFile(path: Array("folder/note.md".utf8), modified: 0, content: bytes) else { return true }
        let note = MarkdownNote.parse(file)
        return (try? ParsedNote(parsing: note.encoded)) == note
    }

    /// One file that is a zip, a tar or what stands for itself.
    private static let packed = FuzzTarget("packed") { bytes in
        let container = ContainerBytes(files: [(path: Array("backup".utf8), content: bytes)])
        return delivers(.joplin, PackedSource.opening(container))
    }

    /// Every record reads back as itself, the last one alone is a summary, and attachments come before the notes that name them.
    private static func delivers(_ format: ContainerFormat, _ source: any EntrySource) -> Bool {
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
