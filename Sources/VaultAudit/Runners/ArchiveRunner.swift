// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `ArchiveRunner` tests whole archives, read once from the begin to the end. Spec: docs/format.md §21.
///
/// What the items say of each other is checked where a vault is made of them.
enum ArchiveRunner {
    static func archive(_ test: VectorTest) throws -> Verdict {
        let bytes = try file(of: test)
        let frame = try ArchiveFrame(bytes)
        let key = try HeaderRunner.key(frame.header, test)
        let (subkey, context) = try (key.subkey(.export), frame.context)
        guard let padded = try? Cobblestone().open(frame.stream, key: subkey, context: context) else {
            throw Refusal("open")
        }
        let content = try SealedRunners.unpad(padded)
        let read = try ReadItems(padded, end: content.count)
        guard test.has("salt") else { return .accepted }
        return try .comparing([
            ("archiveKey", key.duplicateSecret().array == test.bytes("archiveKey")),
            ("content", isContent(content, test)),
            ("items, written again", read.writtenAgain == content),
            ("numbers", SnapshotRunners.numbers(read.counts) == test.list("numbers")),
            ("archive, written again", frame.prefix + SealedRunners.seal(padded, subkey, context, test) == bytes),
        ])
    }

    /// Runs a test of an archive's content. The archive itself must be right; what makes a vault of it has to refuse,
    /// and to leave nothing behind. It has one word for all rules, so the rule that the test names is only known not to
    /// be one of the archive itself.
    static func content(_ test: VectorTest) throws -> Verdict {
        guard case .accepted = try archive(test) else { return .differs("the archive itself") }
        let place = try FixtureFolder()
        try place.put(FixtureFiles(archive: file(of: test)))
        do {
            try FixtureRestore.archive(place.given.appending(path: FixtureFiles.archiveName), test, in: place)
            return .accepted
        } catch let error as VaultError where error.code == .integrity {
            guard !FileManager.default.fileExists(atPath: place.restored.path) else {
                return .differs("a part of a vault was left")
            }
            return .refused(stage: try test.text("stage"), error: try test.has("error") ? test.text("error") : nil)
        }
    }

    private static func file(of test: VectorTest) throws -> [UInt8] {
        try test.has("base") ? edited(test) : test.bytes("archive")
    }

    private static func edited(_ test: VectorTest) throws -> [UInt8] {
        let frame = try ArchiveFrame(test.base().bytes("archive"))
        return try frame.prefix + SealedEdit.apply(test.list("edit"), to: frame.stream)
    }

    private static func isContent(_ content: [UInt8], _ test: VectorTest) throws -> Bool {
        if test.has("content") { return try content == test.bytes("content") }
        return try Digest.sha256(content) == test.bytes("contentSha256")
    }
}

/// `ArchiveFrame` holds what stands before an archive's stream.
private struct ArchiveFrame {
    let prefix: [UInt8]
    let header: UnverifiedHeader
    let stream: [UInt8]

    init(_ bytes: [UInt8]) throws(FormatError) {
        let count = try ArchivePrefix.parse(Array(bytes.prefix(ArchivePrefix.byteCount)))
        let rest = bytes.dropFirst(ArchivePrefix.byteCount)
        guard rest.count >= count else { throw FormatError(.truncated) }
        header = try UnverifiedHeader(parsing: Array(rest.prefix(count)))
        prefix = ArchivePrefix.encode(header)
        stream = Array(rest.dropFirst(count))
    }

    var context: [UInt8] { Context(kind: .archive, vaultID: header.vaultID, epoch: header.epoch).encoded }
}

/// `ReadItems` holds items as they come in a stream. A reader of one meets the padding where nothing is left, so it
/// reads on in it.
private struct ReadItems {
    private(set) var counts = ArchiveCounts()
    private(set) var writtenAgain: [UInt8] = []
    private let bytes: [UInt8]
    private var offset = 0

    init(_ padded: [UInt8], end: Int) throws {
        bytes = padded
        var last: ArchiveItem.Kind?
        while last != .end {
            let (kind, byteCount) = try ArchiveItem.parsePrefix(take(ArchiveItem.prefixByteCount))
            let item = try ArchiveItem(kind, parsing: take(byteCount))
            guard last == nil ? kind == .vault : kind != .vault && kind.rawValue >= last?.rawValue ?? 0 else {
                throw Refusal("order")
            }
            last = kind
            writtenAgain += item.encoded
            if case .attachment(let attachment) = item { writtenAgain += try take(Int(attachment.byteCount)) }
            if case .end(let expected) = item, expected != counts { throw Refusal("numbers") }
            counts.add(kind)
        }
        guard offset == end else { throw Refusal("padding") }
    }

    private mutating func take(_ count: Int) throws(FormatError) -> [UInt8] {
        guard count <= bytes.count - offset else { throw FormatError(.truncated, offset: offset) }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }
}
