// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `SnapshotRunners` tests files of a backup's snapshots, and their lists in the clear. Spec: docs/format.md §22.
enum SnapshotRunners {
    static func snapshot(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("snapshot")
        let file = try SnapshotFile(parsing: bytes)
        let header = try UnverifiedHeader(parsing: file.header)
        let root = try HeaderRunner.key(header, test)
        let key = try root.subkey(.backup)
        let role = try Digest.sha256(file.header)
        let context = Context(
            kind: .snapshot, vaultID: header.vaultID, objectID: file.id, role: role, epoch: header.epoch
        ).encoded
        guard let padded = try? Cobblestone().open(file.sealedList, key: key, context: context) else {
            throw Refusal("open")
        }
        let content = try SealedRunners.unpad(padded)
        let list = try SnapshotList(parsing: content)
        guard test.has("salt") else { return .accepted }
        return try .comparing([
            ("snapshotID", file.id == test.bytes("snapshotID")),
            ("vaultKey", root.duplicateSecret().array == test.bytes("vaultKey")),
            ("list", content == test.bytes("list")),
            ("list, written again", list.encoded == content),
            ("sealed list", SealedRunners.seal(padded, key, context, test) == file.sealedList),
            ("snapshot, written again", file.encoded == bytes),
        ])
    }

    static func list(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("list")
        let list = try SnapshotList(parsing: bytes)
        guard test.has("made") else { return .accepted }
        return try .comparing([
            ("made", list.made == test.number("made")),
            ("generation", list.generation == test.number("generation")),
            ("numbers", numbers(list.counts) == test.list("numbers")),
            ("manifest", list.manifest == test.bytes("manifest")),
            ("indexSize", list.indexByteCount == test.number("indexSize")),
            ("pieces", list.pieces.map(text) == test.list("pieces")),
            (
                "objects",
                list.objects.map { .list([text($0.name.bytes), number($0.byteCount)]) } == test.list("objects")
            ),
            ("drafts", list.drafts.map { .list([text($0.id.bytes), text($0.digest)]) } == test.list("drafts")),
            ("list, written again", list.encoded == bytes),
        ])
    }

    /// Writes what an archive's end and a snapshot count, as vectors have it.
    static func numbers(_ counts: ArchiveCounts) -> [JSONValue] {
        [counts.entries, counts.noteKeyslots, counts.revisions, counts.attachments, counts.drafts, counts.changes].map(
            number)
    }

    private static func number(_ value: UInt64) -> JSONValue {
        Int(exactly: value).map(JSONValue.integer) ?? .large(value)
    }
    private static func text(_ bytes: [UInt8]) -> JSONValue { .text(Hexadecimal.encode(bytes)) }
}
