// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArchiveReading
import ForeignFormats
import ParserProtocol
import Sandbox

/// `vault-parse archive FORMAT` and `vault-parse folder FORMAT`: `ContainerFrame`s in, `ImportRecord`s out, the last
/// one a summary.
///
/// An archive is one file, which may be packed; a folder is its files.
enum ContainerCommand {
    @Sendable static func archive(_ words: [String]) { run(words, isArchive: true) }
    @Sendable static func folder(_ words: [String]) { run(words, isArchive: false) }

    private static func run(_ words: [String], isArchive: Bool) {
        guard words.count == 1, let format = ImportFormat(rawValue: words[0]) else {
            Pipe.fail(
                "usage: vault-parse archive|folder \(ImportFormat.allCases.map(\.rawValue).joined(separator: "|"))",
                exitCode: 2)
        }
        var frameCount = 0
        let frames = FrameSource {
            // 16 MiB at a time: no note is longer, and the limit holds for each.
            frameCount += 1
            if frameCount % 256 == 1 { Sandbox.allowMoreTime(for: .manyInputs) }
        }
        let source: any EntrySource = isArchive && format.declaration.isArchived ? PackedSource.opening(frames) : frames
        let kind: SourceKind = source is ArchiveSource ? .archive : isArchive ? .file : .folder
        LocalZone.$current.withValue(SystemZone.zone) {
            format.run(source, ImportOutput { Pipe.write(RecordFrame.enclosing($0.encoded)) }, kind: kind)
        }
    }
}
