// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// `MapRunner` tests the map of a database's pages, beside files that are put together here from the specification.
/// Spec: docs/format.md §11.1.
enum MapRunner {
    /// Tests which pages of a file count, by a map that may be damaged.
    static func map(_ test: VectorTest) throws -> Verdict {
        let test = try test.has("base") ? test.base().with(test) : test
        let map = try SealedEdit.apply(test.has("edit") ? test.list("edit") : [], to: test.bytes("map"))
        let place = try MapPlace(test, map: map)
        try place.storage.openMap(
            MapPlace.mapName, root: PageMapRoot(slot: test.integer("mapSlot"), hash: test.bytes("mapHash")))
        var refused: [[Int]] = []
        for page in 1...UInt32(try test.integer("pages")) {
            switch place.storage.state(ofPage: page) {
            case .whole: continue
            case .old, .damaged: break
            }
            let page = Int(page)
            if let last = refused.last, last[1] == page - 1 {
                refused[refused.count - 1][1] = page
            } else {
                refused.append([page, page])
            }
        }
        guard refused == (try test.has("refused") ? test.pairs("refused") : []) else { return .differs("refused") }
        guard refused.isEmpty else { throw Refusal("page") }
        return .accepted
    }

    /// Tests the map that is made of a file: its root, and where its nodes lie.
    static func build(_ test: VectorTest) throws -> Verdict {
        let place = try MapPlace(test, map: nil)
        let root = try place.storage.buildMap(MapPlace.mapName)
        var parts: [(String, Bool)] = [("mapHash", try root.hash == test.bytes("mapHash"))]
        for node in try test.list("nodes").compactMap(\.list) where node.count == 4 {
            guard let level = node[0].integer, let index = node[1].integer, let offset = node[2].integer else {
                throw VectorFault("a node is not level, index, offset and hash")
            }
            let found = try hash(level, index, place.map(1024, at: offset))
            parts.append(("node \(index) of level \(level)", found == node[3].bytes))
        }
        return .comparing(parts)
    }

    /// Returns the hash of a node as its parent has it.
    private static func hash(_ level: Int, _ index: Int, _ node: [UInt8]) throws -> [UInt8] {
        let hashed = node.prefix(level == 0 ? 1024 : 31 * 32)
        guard hashed.contains(where: { $0 != 0 }) else { return [UInt8](repeating: 0, count: 32) }
        var writer = ByteWriter(reserving: 1100)
        writer.raw("vault/v1 map".utf8)
        writer.u8(UInt8(clamping: level))
        writer.u32(UInt32(clamping: index))
        writer.raw(hashed)
        return try Digest.sha256(writer.bytes)
    }
}

/// `MapPlace` holds the files of one test. Byte i of page n in version v is (7 i + n + v) mod 256, and its nonce the
/// first 24 bytes of SHA-256(n ‖ v).
private final class MapPlace {
    static let mapName = "index-1.map"
    private static let indexName = "index-1.db"
    private static let pageByteCount = 4096
    private static let pageCountMax = 1 << 20
    let storage: SealedStorage
    private let folder = try? FixtureFolder()
    private let directory: Int32

    /// Writes the files of a test, and opens them as a storage.
    ///
    /// - Parameter map: nil where there is none.
    init(_ test: VectorTest, map: [UInt8]?) throws {
        guard let folder else { throw VectorFault("a temporary folder cannot be made") }
        var files: [String: [UInt8]] = [Self.indexName: []]
        if let map { files[Self.mapName] = map }
        try folder.put(FixtureFiles(contents: files))
        try Self.writePages(test, to: folder.given.appending(path: Self.indexName))
        directory = unsafe open(folder.given.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw VectorFault("a temporary folder cannot be opened") }
        storage = try SealedStorage(
            directory: directory, name: Self.indexName, pageKey: VaultPlace.subkey(test, .indexPage),
            logKey: VaultPlace.subkey(test, .indexLog), pageBinding: VaultPlace.context(test, .indexPage),
            logBinding: VaultPlace.context(test, .indexLog), logSalt: [UInt8](repeating: 0, count: 32),
            creating: false)
    }

    deinit { if directory >= 0 { close(directory) } }

    func map(_ byteCount: Int, at offset: Int) throws -> [UInt8] {
        guard let folder, offset >= 0 else { throw VectorFault("an offset is below 0") }
        let file = try FileHandle(forReadingFrom: folder.given.appending(path: Self.mapName))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        let bytes = Array(try file.read(upToCount: byteCount) ?? Data())
        // What was never written behind the last node.
        return bytes + [UInt8](repeating: 0, count: byteCount - bytes.count)
    }

    private static func writePages(_ test: VectorTest, to path: URL) throws {
        let count = try test.integer("pages")
        guard (1...pageCountMax).contains(count) else { throw VectorFault("pages is out of range") }
        let versions = try Dictionary(
            (test.has("versions") ? test.pairs("versions") : []).map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
        let present = try test.has("present") ? test.list("present").compactMap(\.integer) : Array(1...count)
        let box = AeadBox(algorithm: .xaes, key: try VaultPlace.subkey(test, .indexPage).duplicateSecret().array)
        let context = try VaultPlace.context(test, .indexPage)
        let file = try FileHandle(forWritingTo: path)
        defer { try? file.close() }
        try file.truncate(atOffset: UInt64(count * pageByteCount))
        for page in present where (1...count).contains(page) {
            try file.seek(toOffset: UInt64((page - 1) * pageByteCount))
            try file.write(contentsOf: Data(sealed(page, versions[page] ?? 0, box, context)))
        }
    }

    private static func sealed(_ page: Int, _ version: Int, _ box: AeadBox, _ context: [UInt8]) throws -> [UInt8] {
        var place = ByteWriter(reserving: 8)
        place.u32(UInt32(page))
        var named = place
        named.u32(UInt32(clamping: version))
        let nonce = Array(try Digest.sha256(named.bytes).prefix(XAES256GCM.nonceByteCount))
        let plain = (0..<pageByteCount - XAES256GCM.nonceByteCount - XAES256GCM.tagByteCount).map {
            UInt8(truncatingIfNeeded: 7 * $0 + page + version)
        }
        let made = try box.seal(nonce: nonce, associatedData: context + place.bytes, plain)
        return made.ciphertext + nonce + made.tag
    }
}

extension VectorTest {
    /// Returns this test with the fields of another over its own.
    fileprivate func with(_ other: VectorTest) -> VectorTest {
        VectorTest(file: file, group: group, fields: fields.merging(other.fields) { $1 })
    }

    /// Returns a list of pairs of integers.
    fileprivate func pairs(_ name: String) throws -> [[Int]] {
        try list(name).map { pair in
            let numbers = (pair.list ?? []).compactMap(\.integer)
            guard numbers.count == 2 else { throw VectorFault("\(name) is not of pairs of integers") }
            return numbers
        }
    }
}
