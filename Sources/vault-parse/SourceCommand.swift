// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArchiveReading
import ForeignFormats
import Glibc
import MediaFormats
import ParserProtocol
import Sandbox

/// `SourceCommand` runs `vault-parse source`: a frame with a `SourceQuestion`, and the `SourceAnswer` back.
enum SourceCommand {
    static func run() {
        do {
            let question = try SourceQuestion(parsing: Pipe.onlyFrame(max: SourceQuestion.byteCountMax))
            Pipe.write(SourceRecognition.answer(to: question).encoded)
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }
}

/// `ContainerCommand` runs `vault-parse archive FORMAT` and `vault-parse folder FORMAT`: `ContainerFrame`s in,
/// `ImportRecord`s out, the last one a summary.
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

/// `KindCommand` runs `vault-parse kind`: a frame with the beginning of each file, a frame with its `FileKind` back.
enum KindCommand {
    static func run() {
        var input = Pipe()
        do {
            while let head = try input.nextFrame(max: FileKind.headByteCountMax) {
                Sandbox.allowMoreTime(for: .manyInputs)
                Pipe.write(RecordFrame.enclosing(try kind(of: head).encoded))
            }
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }

    private static func kind(of head: [UInt8]) throws(RecordError) -> FileKind {
        let type = MediaType.detect(head: head)
        let size = type.kind == .photo ? PictureSize.read(head) : nil
        let shown = size.flatMap { size -> (width: UInt32, height: UInt32)? in
            guard let width = UInt32(exactly: size.shownWidth), let height = UInt32(exactly: size.shownHeight) else {
                return nil
            }
            return (width, height)
        }
        return try FileKind(
            kind: FileKind.Kind(rawValue: type.kind.rawValue) ?? .file, mediaType: type.name, size: shown)
    }
}

/// `SystemZone` loads the rules of the zone that TZ names by the C library while files can still be opened; the library
/// looks nothing up again while TZ stays the same.
enum SystemZone {
    static func prepare() -> Bool { load(variable) }

    /// The value of `TZ`, for a process that prepares something else too, which may set another zone.
    static var variable: String { unsafe getenv("TZ").map { unsafe String(cString: $0) } ?? "UTC0" }

    static func load(_ variable: String) -> Bool {
        guard unsafe setenv("TZ", variable, 1) == 0 else { return false }
        tzset()
        return offset(at: 0) != nil
    }

    static let zone = LocalZone { SystemZone.offset(at: $0) ?? 0 }

    private static func offset(at instant: Int64) -> Int64? {
        var time = time_t(instant)
        var parts = unsafe tm()
        guard unsafe localtime_r(&time, &parts) != nil else { return nil }
        return unsafe Int64(parts.tm_gmtoff)
    }
}
