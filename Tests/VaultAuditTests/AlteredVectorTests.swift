// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAudit

/// The runners of sealed objects look at every field and at the step that refuses: a vector that is not right must
/// fail.
struct AlteredVectorTests {
    /// A file and a word in it.
    struct Named: Sendable, CustomTestStringConvertible {
        let file: String
        let word: String

        var testDescription: String { "\(word) in \(file)" }

        static func all(_ words: KeyValuePairs<String, [String]>) -> [Named] {
            words.flatMap { file, words in words.map { Named(file: file, word: $0) } }
        }
    }

    private static let stages = Named.all([
        "draft.json": ["parse", "open", "unwrap", "padding"],
        "private.json": [
            "parse", "open", "padding", "place", "cost", "unwrap", "innerOpen", "innerPadding", "innerUnwrap",
        ],
        "attachment.json": ["parse", "open", "padding", "place", "size", "commitment", "innerOpen", "innerPadding"],
        "keyfile.json": ["keyFile"],
        "rotation.json": ["unwrap"],
        "header.json": ["keyFile"],
        "archive.json": ["parse", "cost", "unwrap", "recoveryKey", "open", "padding", "order", "numbers"],
        "snapshot.json": ["parse", "cost", "unwrap", "open", "padding"],
        "manifest.json": ["parse", "open", "padding"],
        "pin.json": ["parse"],
        "page_map.json": ["page"],
    ])

    @Test(arguments: stages)
    func aRefusalAtAnotherStepFails(stage: Named) throws {
        let tests = try VectorFile(parsing: VectorFolder.bytes(stage.file)).tests
            .filter { $0.fields["stage"] == .text(stage.word) && $0.type != "ArchiveContentTest" }
        #expect(!tests.isEmpty)
        for test in tests {
            var fields = test.fields
            fields["stage"] = .text("mac")
            let outcome = Judge.judge(VectorTest(file: test.file, group: test.group, fields: fields), quick: true)
            guard case .failed(let reason) = outcome, reason.hasPrefix("refused at \(stage.word)") else {
                Issue.record("test \(test.number ?? 0) passes with another stage")
                continue
            }
        }
    }

    private static let fields = Named.all([
        "draft.json": ["sequence", "saved", "body", "draft", "draftKey", "salt", "sealed", "wrapped"],
        "private.json": [
            "noteID", "keyEpoch", "showsTitle", "memoryKiB", "iterations", "parallelism", "slotSalt", "wrapped",
            "passwordHash", "vaultKey",
            "vaultID",
            "epoch", "kek", "noteKey", "salt", "wrapSalt", "slot", "sealed", "password", "created", "modified",
            "recordFlags", "contentRevision",
            "inner", "revisionID", "innerSalt", "content", "record", "draftID", "fieldsSalt", "draftKey", "title",
            "notebook",
        ],
        "attachment.json": [
            "kind", "name", "caption", "mediaType", "size", "created", "width", "height", "isStripped", "attachmentID",
            "noteID", "objectName",
            "fileSize", "commitment", "isPrivate", "details", "vaultKey", "vaultID", "epoch", "noteKey", "keyEpoch",
            "salt", "innerSalt", "record",
            "sealed", "sealedSha256", "content", "thumbnail",
        ],
        "record.json": ["attachments"],
        "keyfile.json": ["file", "key", "keyFile"],
        "rotation.json": ["vaultKey", "vaultID", "epoch", "counter", "use", "wrapped", "vaultKeyBefore", "salt"],
        "header.json": ["keyFile"],
        "archive.json": ["archive", "archiveKey", "salt", "content", "contentSha256", "numbers"],
        "snapshot.json": [
            "snapshot", "snapshotID", "vaultKey", "salt", "list", "made", "generation", "numbers", "manifest",
            "indexSize", "pieces", "objects",
            "drafts",
        ],
        "manifest.json": [
            "version", "generation", "pageCount", "logSalt", "syncedByteCount", "isOpen", "headerCounter",
            "headerDigest", "hasMap", "mapSlot", "mapHash", "padded", "sealed", "salt",
        ],
        "pin.json": ["pin", "vaultID", "epoch", "counter", "digest", "generation", "sequence", "chain"],
        "page_map.json": ["vaultKey", "vaultID", "epoch", "versions", "mapHash"],
    ])

    @Test(arguments: fields)
    func anAlteredFieldFails(field: Named) throws {
        let tests = try VectorFile(parsing: VectorFolder.bytes(field.file)).tests.filter {
            $0.has(field.word) && Self.matters(field.word, in: $0)
        }
        #expect(!tests.isEmpty)
        for test in tests {
            var fields = test.fields
            fields[field.word] = try Self.altered(#require(fields[field.word]))
            let outcome = Judge.judge(VectorTest(file: test.file, group: test.group, fields: fields), quick: true)
            guard case .failed = outcome else {
                Issue.record("test \(test.number ?? 0) passes with another \(field.word)")
                continue
            }
        }
    }

    /// Not each field of a range matters, and an ordinary note's object is bound to its attachment alone. Long objects
    /// and derivations would only take time.
    private static func matters(_ word: String, in test: VectorTest) -> Bool {
        guard test.fields["result"] == .text("valid"), test.type != "ObjectRangeTest" else { return false }
        if test.type == "ObjectTest" {
            let isBound = word != "noteID" || test.has("keyEpoch")
            return isBound && (test.fields["size"]?.integer ?? 0) <= (word == "sealedSha256" ? 16_383 : 1_000)
        }
        return ["password", "keyFile"].contains(word) || !test.has("password")
    }

    @Test(arguments: ["edit", "innerEdit", "paddedEdit", "innerPaddedEdit"])
    func withoutItsEditNoObjectIsRefused(name: String) throws {
        let tests = try VectorFile(parsing: VectorFolder.bytes("attachment.json")).tests
            .filter { $0.fields["result"] == .text("invalid") && $0.fields[name]?.list?.isEmpty == false }
        #expect(!tests.isEmpty)
        for test in tests {
            var fields = test.fields
            fields[name] = .list([])
            // The base as it is, opened with its own fields: what is refused then was refused for the edit alone.
            for (known, value) in try test.base().fields where !["tcId", "comment", "flags", "result"].contains(known) {
                fields[known] = value
            }
            fields["result"] = .text("valid")
            for removed in ["stage", "base"] { fields[removed] = nil }
            let outcome = Judge.judge(VectorTest(file: test.file, group: test.group, fields: fields), quick: true)
            guard test.type == "ObjectTest" else { continue }
            guard case .passed = outcome else {
                Issue.record("test \(test.number ?? 0) is refused without its \(name)")
                continue
            }
        }
    }

    /// A small change to a number, a flag, a list, or to hexadecimal or other text.
    private static func altered(_ value: JSONValue) -> JSONValue {
        if case .integer(let number) = value, number < Int.max { return .integer(number + 1) }
        if let flag = value.flag { return .flag(!flag) }
        if let list = value.list { return .list(list.isEmpty ? [.text("00")] : Array(list.dropLast())) }
        guard let text = value.text else { return .text("00") }
        return .text(text.isEmpty ? "00" : (text.hasPrefix("0") ? "1" : "0") + text.dropFirst())
    }
}
