// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Glibc
import Testing

@testable import SealedSQLite
@testable import VaultCrypto

/// A sealed database with a map of its pages, whose root the test keeps as a manifest would.
final class MappedFixture {
    let files: SealedFixture
    var root: PageMapRoot?
    static let mapName = "index.map"

    init() throws { files = try SealedFixture() }

    private init(_ files: SealedFixture, _ root: PageMapRoot?) { (self.files, self.root) = (files, root) }

    var mapPath: String { files.folder.appending(path: Self.mapName).path }

    func open(cacheKiB: Int = 16 * 1024) throws -> SealedDatabase {
        let storage = try files.storage()
        if let root { try storage.openMap(Self.mapName, root: root) }
        return try SealedDatabase(storage, syncedByteCount: 0, cacheKiB: cacheKiB) { _ in }
    }

    /// Empties the log as a vault does, or makes the first map.
    func checkpoint(_ database: SealedDatabase) throws {
        try database.emptyLog()
        if let next = try database.storage.flushMap() {
            root = next
            database.storage.adoptMap()
        }
        try database.cutLog()
        if root == nil { root = try database.storage.buildMap(Self.mapName) }
        try database.storage.renewLogSalt(files.salt)
    }

    /// The files as they are now, as a crash would leave them.
    func crashCopy() throws -> MappedFixture {
        let copy = MappedFixture(try files.crashCopy(), root)
        try FileManager.default.copyItem(atPath: mapPath, toPath: copy.mapPath)
        return copy
    }

    func page(_ number: Int, of path: String? = nil) throws -> [UInt8] {
        let all = try files.bytes(path ?? files.databasePath)
        return Array(all[(number - 1) * 4096..<number * 4096])
    }

    /// Writes into the file that is there, as another program would under a running one.
    static func put(_ bytes: some Collection<UInt8>, at offset: Int, of path: String) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    func put(_ bytes: some Collection<UInt8>, page number: Int) throws {
        try Self.put(bytes, at: (number - 1) * 4096, of: files.databasePath)
    }

    func rows(_ database: SealedDatabase) throws -> [Data] {
        try database.queue.inDatabase { try Data.fetchAll($0, sql: "SELECT x FROM t ORDER BY id") }
    }

    func insert(_ database: SealedDatabase, _ ids: Range<Int>) throws {
        try database.queue.write { connection in
            for id in ids {
                try connection.execute(
                    sql: "INSERT INTO t VALUES(?, ?)",
                    arguments: [id, Data(repeating: UInt8(truncatingIfNeeded: id), count: 3000)])
            }
        }
    }

    /// Closed, with this many rows of a page each.
    static func filled(_ count: Int) throws -> MappedFixture {
        let fixture = try MappedFixture()
        let database = try fixture.open()
        try database.queue.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, x BLOB)") }
        try fixture.insert(database, 0..<count)
        try fixture.checkpoint(database)
        try database.close()
        return fixture
    }
}

/// What the map's nodes are, where they lie, and that nothing of it is lost.
struct PageMapTests {
    private func walk(_ node: MapNode, _ next: inout Int, _ limit: Int, _ body: (MapNode, Int) -> Void) {
        guard next < limit else { return }
        body(node, next)
        next += 1
        guard node.level > 0 else { return }
        for number in 0..<MapNode.fanOut { walk(node.child(number), &next, limit, body) }
    }

    @Test func aNodesPlaceIsItsNumberInAWalkFromTheRoot() {
        var next = 0
        var wrong = 0
        walk(.root, &next, 100_000) { if $0.position != $1 || ($0 != .root && $0.parent.level > 5) { wrong += 1 } }
        #expect(next == 100_000 && wrong == 0)
        // Far away: a node's first leaf stands right behind it and behind the inner nodes that begin with it.
        for index in [923_521, 28_629_150, 1_847_042] {
            let leaf = MapNode(level: 0, index: index)
            let before = MapNode(level: 0, index: index - 1)
            var inner = 0
            var node = leaf
            while node.childIndex == 0, node.level < MapNode.rootLevel {
                node = node.parent
                inner += 1
            }
            #expect(leaf.position - before.position == inner + 1)
        }
        #expect(MapNode(leafOf: 0) == nil && MapNode(leafOf: .max) == nil)
        #expect(MapNode(leafOf: 64)?.index == 0 && MapNode(leafOf: 65)?.index == 1)
    }

    @Test func theCacheHoldsNoMoreThanItsTwoMebibytes() throws {
        var cache = NodeCache()
        for index in 0..<5000 {
            cache.insert(MapNode(level: 0, index: index), ProvenNode(bytes: ProvenNode.empty, slot: index % 2))
            #expect(cache.content(of: MapNode(level: 0, index: index))?.slot == index % 2)
        }
        #expect(cache.count == NodeCache.countMax)
        #expect(cache.content(of: MapNode(level: 0, index: 4999)) != nil)
    }

    /// Over the ends of a leaf (64 pages) and of an inner node (1,984 pages).
    @Test func theMapGrowsWithTheDatabaseAndSurvivesEachReopening() throws {
        let fixture = try MappedFixture.filled(1)
        var count = 1
        for size in [60, 63, 64, 130, 1970, 1984, 2010] {
            let database = try fixture.open()
            try fixture.insert(database, count..<size)
            count = size
            try fixture.checkpoint(database)
            #expect(try fixture.rows(database).count == size)
            try database.close()
            let again = try fixture.open()
            #expect(try fixture.rows(again).count == size, "\(size) rows")
            for page in 1...again.storage.pageCount { #expect(again.storage.state(ofPage: page) == .whole) }
            try again.close()
        }
        // What was made step by step is what is made at once.
        let database = try fixture.open()
        let known = try #require(fixture.root)
        #expect(try database.storage.buildMap("other.map").hash == known.hash)
    }

    @Test func aCheckpointAfterOneChangeWritesLittleOfTheMap() throws {
        let fixture = try MappedFixture.filled(3000)
        let database = try fixture.open()
        let before = try #require(database.storage.map).writtenByteCount
        try database.queue.write { try $0.execute(sql: "UPDATE t SET x = zeroblob(10) WHERE id = 1500") }
        try fixture.checkpoint(database)
        let written = try #require(database.storage.map).writtenByteCount - before
        // The path from one or two leaves to the root.
        #expect(written > 0 && written <= 12 * MapNode.byteCount)
        try fixture.checkpoint(database)
        #expect(try #require(database.storage.map).writtenByteCount - before == written, "nothing changed")
    }

    @Test func aDamagedOrMissingMapIsMadeAgainFromThePages() throws {
        let fixture = try MappedFixture.filled(2100)
        let database = try fixture.open()
        try database.queue.write { try $0.execute(sql: "UPDATE t SET x = zeroblob(9) WHERE id % 7 = 0") }
        try fixture.checkpoint(database)
        try database.close()
        let nodes = [
            MapNode.root, MapNode(level: 3, index: 0), MapNode(level: 1, index: 0), MapNode(level: 1, index: 1),
            MapNode(level: 0, index: 0), MapNode(level: 0, index: 31),
        ]
        for node in nodes {
            let copy = try fixture.crashCopy()
            for slot in 0...1 {
                try MappedFixture.put(
                    [UInt8](repeating: 0xA5, count: 700), at: node.offset(slot: slot), of: copy.mapPath)
            }
            let opened = try copy.open()
            #expect(try copy.rows(opened).count == 2100, "\(node)")
            try opened.queue.write { try $0.execute(sql: "UPDATE t SET x = zeroblob(8) WHERE id % 50 = 0") }
            try copy.checkpoint(opened)
            try opened.close()
            #expect(try copy.rows(copy.open()).count == 2100, "\(node)")
        }
        for isEmpty in [true, false] {
            let copy = try fixture.crashCopy()
            try FileManager.default.removeItem(atPath: copy.mapPath)
            if isEmpty { try Data().write(to: URL(fileURLWithPath: copy.mapPath)) }
            #expect(try copy.rows(copy.open()).count == 2100)
        }
        // One bad sector in the map and one in a page: the map's node is whole because its children are.
        let copy = try fixture.crashCopy()
        for slot in 0...1 {
            let offset = MapNode(level: 1, index: 0).offset(slot: slot)
            try MappedFixture.put([UInt8](repeating: 0, count: 1024), at: offset, of: copy.mapPath)
        }
        try copy.put([UInt8](repeating: 1, count: 4096), page: 70)
        let opened = try copy.open()
        for page in 2...200 as ClosedRange<UInt32> where page != 70 {
            #expect(opened.storage.state(ofPage: page) == .whole)
        }
        #expect(opened.storage.state(ofPage: 70) == .damaged)
    }

    /// A crash before the new root is vouched for: the old one, and the log that has every page since.
    @Test func aCrashAtAnyStepOfACheckpointLosesNothing() throws {
        let fixture = try MappedFixture.filled(200)
        let before = try fixture.files.bytes(fixture.files.databasePath)
        let database = try fixture.open()
        try fixture.insert(database, 200..<330)
        try database.queue.write { try $0.execute(sql: "UPDATE t SET x = zeroblob(5) WHERE id % 9 = 0") }
        let rows = try fixture.rows(database)
        var crashes = [("written to the log", try fixture.crashCopy())]
        try database.emptyLog()
        crashes.append(("in the file", try fixture.crashCopy()))
        // Only some of the pages had reached the file.
        for part in 2...4 {
            let copy = try fixture.crashCopy()
            for page in 1...before.count / 4096 where page % part == 0 {
                try copy.put(before[(page - 1) * 4096..<page * 4096], page: page)
            }
            crashes.append(("partly in the file, \(part)", copy))
        }
        let next = try #require(try database.storage.flushMap())
        crashes.append(("the map written", try fixture.crashCopy()))
        fixture.root = next
        crashes.append(("vouched for", try fixture.crashCopy()))
        database.storage.adoptMap()
        try database.cutLog()
        crashes.append(("cut", try fixture.crashCopy()))
        for (what, crash) in crashes {
            for _ in 0..<2 {
                let opened = try crash.open()
                #expect(try crash.rows(opened) == rows, "\(what)")
                try crash.checkpoint(opened)
                #expect(try crash.rows(opened) == rows, "\(what)")
                try opened.close()
            }
        }
    }

    /// A write that fails after the map was written leaves what counts as it was, and the next one starts from there.
    @Test func aRootThatWasNeverVouchedForIsWrittenOver() throws {
        let fixture = try MappedFixture.filled(100)
        let database = try fixture.open()
        try fixture.insert(database, 100..<150)
        try database.emptyLog()
        _ = try database.storage.flushMap()
        let crash = try fixture.crashCopy()
        try fixture.checkpoint(database)
        try fixture.insert(database, 150..<220)
        try fixture.checkpoint(database)
        try database.close()
        #expect(try fixture.rows(fixture.open()).count == 220)
        #expect(try crash.rows(crash.open()).count == 150)
    }

    /// On a disk that takes nothing the pages prove themselves, and the file stays as it is.
    @Test(arguments: [0, 100]) func aMapThatWasCutOffDoesForReadingWhereNothingMayBeWritten(byteCount: Int) throws {
        let fixture = try MappedFixture.filled(200)
        let whole = try fixture.files.bytes(fixture.mapPath)
        try Data(whole.prefix(byteCount)).write(to: URL(filePath: fixture.mapPath))
        let folder = unsafe open(fixture.files.folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        let map = try unsafe PageMap(
            directory: folder, name: MappedFixture.mapName,
            pages: open(fixture.files.databasePath, O_RDONLY | O_CLOEXEC), root: #require(fixture.root), mends: false)
        let pageCount = try fixture.files.bytes(fixture.files.databasePath).count / 4096
        for page in 1...pageCount { #expect(!map.hasAnother(UInt32(page)), "page \(page)") }
        #expect(try fixture.files.bytes(fixture.mapPath).count == byteCount)
    }
}
