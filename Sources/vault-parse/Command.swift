// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArchiveReading
import ForeignFormats
import GitComparison
import MarkdownHTML
import Sandbox
import SketchDrawing

/// `Command` is something that `vault-parse` decodes. All of them are confined alike before they run; only the time
/// they get is their own.
struct Command: Sendable {
    let name: String
    let work: Workload
    /// What a library wants to look up once: before nothing can be opened any more.
    var prepare: @Sendable () -> Bool = { true }
    /// Gets the words behind the name.
    let run: @Sendable ([String]) -> Void

    static let all = [
        Command(name: "markdown", work: .manyInputs, prepare: SystemZone.prepare) { _ in MarkdownCommand.run() },
        Command(name: "kind", work: .manyInputs) { _ in KindCommand.run() },
        Command(name: "source", work: .oneInput) { _ in SourceCommand.run() },
        Command(name: "picture", work: .oneInput) { _ in PictureCommand.run() },
        Command(name: "strip", work: .oneInput) { _ in StripCommand.run() },
        Command(name: "sketch", work: .oneInput, prepare: SketchDrawing.prepare, run: DrawCommand.run),
        Command(name: "archive", work: .manyInputs, prepare: prepareArchive, run: ContainerCommand.archive),
        Command(name: "folder", work: .manyInputs, prepare: prepareFolder, run: ContainerCommand.folder),
        Command(name: "html", work: .manyInputs, prepare: { MarkdownHTML.prepare() }) { _ in HTMLCommand.run() },
        Command(name: "reading", work: .manyInputs, prepare: { MarkdownHTML.prepare() }) { _ in ReadingCommand.run() },
        Command(name: "compare", work: .manyInputs, prepare: { GitComparison.prepare() }) { _ in CompareCommand.run() },
        Command(name: "recovery-page", work: .oneInput) { _ in RecoveryPageCommand.run() },
        Command(name: "books", work: .oneInput, prepare: prepareFolder, run: BooksCommand.run),
        Command(name: "cover", work: .oneInput) { _ in CoverCommand.run() },
        Command(name: "qr-code", work: .oneInput) { _ in QRCodeCommand.run() },
    ]

    @Sendable private static func prepareArchive() -> Bool {
        let zone = SystemZone.variable
        return ArchiveLibrary.prepare() && ForeignLibraries.prepare() && SystemZone.load(zone)
    }

    @Sendable private static func prepareFolder() -> Bool { ForeignLibraries.prepare() && SystemZone.prepare() }
}
