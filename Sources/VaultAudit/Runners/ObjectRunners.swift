// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// Sealed files of attachments: read whole and in ranges by the reader that the programs have, and step by step to say
/// where one is refused.
///
/// Spec: docs/format.md §19.
enum ObjectRunners {
    /// Larger contents are not made, in bytes.
    private static let contentByteCountMax = 1 << 28

    static func object(_ test: VectorTest) throws -> Verdict {
        let place = try ObjectPlace(test)
        let maker = test.has("base") ? try test.base() : test
        let file = try seal(maker, edits: test)
        let stepwise = Result { try place.content(of: file) }
        let read = try SealedFile(file).content(place)
        guard case .success(let content) = stepwise else {
            // Both have to refuse it: the steps say where, the reader is what the programs use.
            guard read == nil else { return .differs("the reader takes what the steps refuse") }
            return try .differs("\(stepwise.get().count) bytes")
        }
        guard read == content else { return .differs("the reader and the steps differ") }
        guard !test.has("base") else { return .accepted }
        let known = try self.content(test)
        return try .comparing([
            ("content", content == known), ("sealed", isFile(file, of: test)),
            ("ranges", areRangesRight(test, place, file, known)),
        ])
    }

    static func range(_ test: VectorTest) throws -> Verdict {
        let place = try ObjectPlace(test)
        let base = try test.base()
        let file = try SealedFile(seal(base, edits: test))
        let content = try content(base)
        let range = try range(test.list("range"), within: content.count)
        try place.checkPrefix(file.bytes)
        guard let part = try file.part(range, place) else {
            guard let outer = place.outerAlone(range), try file.part(outer.range, outer.place) != nil else {
                throw Refusal("open")
            }
            throw Refusal("innerOpen")
        }
        return .comparing([("the range", part == Array(content[range]))])
    }

    private static func areRangesRight(_ test: VectorTest, _ place: ObjectPlace, _ file: [UInt8], _ content: [UInt8])
        throws -> Bool
    {
        let sealed = try SealedFile(file)
        return try test.list("ranges").allSatisfy { value in
            let range = try range(value.list ?? [], within: content.count)
            return try sealed.part(range, place) == Array(content[range])
        }
    }

    private static func range(_ pair: [JSONValue], within count: Int) throws -> Range<Int> {
        guard pair.count == 2, let begin = pair[0].integer, let size = pair[1].integer, begin >= 0, begin <= count,
            (0...count - begin).contains(size)
        else { throw VectorFault("a range is not within the content") }
        return begin..<begin + size
    }

    private static func isFile(_ file: [UInt8], of test: VectorTest) throws -> Bool {
        try test.has("sealed") ? file == test.bytes("sealed") : Digest.sha256(file) == test.bytes("sealedSha256")
    }

    private static func content(_ test: VectorTest) throws -> [UInt8] {
        guard !test.has("content") else { return try test.bytes("content") }
        let size = try test.integer("size")
        guard (0...contentByteCountMax).contains(size) else { throw VectorFault("size is out of range") }
        return (0..<size).map { UInt8(truncatingIfNeeded: 7 * $0 + size) }
    }

    /// The file that a test describes, with the changes that another one makes to it on its way.
    private static func seal(_ test: VectorTest, edits: VectorTest) throws -> [UInt8] {
        func edited(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
            guard edits.has(name) else { return bytes }
            return try SealedEdit.apply(edits.list(name), to: bytes)
        }
        let place = try ObjectPlace(test)
        var content = try content(test)
        if let inner = place.inner {
            let padded = try edited(Padme.pad(content), "innerPaddedEdit")
            content = try edited(inner.seal(padded, test, salt: "innerSalt"), "innerEdit")
        }
        return try edited(place.outer.seal(edited(Padme.pad(content), "paddedEdit"), test), "edit")
    }
}
