// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SyncProtocol
import Testing
import VaultTesting

/// What every kind of remote does, over the real program in its confinement and real servers.
@Suite(.serialized)
struct ConformanceTests {
    private static let worlds = Dictionary(
        uniqueKeysWithValues: StoreKind.chosen.map { kind in (kind, Result { try StoreWorld(kind) }) })

    private func world(_ kind: StoreKind) throws -> StoreWorld { try #require(try Self.worlds[kind]?.get()) }

    private func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed)
        let block = (0..<8192).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block }
        return Array(bytes.prefix(count))
    }

    @Test(arguments: StoreKind.chosen) func whatWasPutIsReadByAnotherProcess(kind: StoreKind) throws {
        let (writer, reader) = (try world(kind).remote(), try world(kind).remote(creates: false))
        #expect(try writer.put(Names.name(.card, 999), [1]).value == 0)
        for (number, area) in StoreArea.allCases.enumerated() {
            // Nothing, a byte, an ordinary segment, and the largest.
            for count in [0, 1, 4096] + (area == .header ? [] : [area.byteCountMax]) {
                let name = Names.name(area, number * 100 + count % 97)
                let content = bytes(count, UInt64(count))
                #expect(try reader.get(name).failure?.code == .absent)
                #expect(try writer.put(name, content).value == 0)
                #expect(try reader.get(name).value == content, "\(area) \(count)")
                #expect(try writer.delete(name).value == 0)
                #expect(try reader.get(name).failure?.code == .absent)
            }
        }
    }

    @Test(arguments: StoreKind.chosen) func X63ThePutOfTheSameBytesMendsATornFile(kind: StoreKind) throws {
        let remote = try world(kind).remote()
        let (name, content) = (Names.name(.segment, 7), bytes(10_000, 7))
        #expect(try remote.put(name, Array(content.prefix(5_000))).value == 0)
        #expect(try remote.put(name, content).value == 0)
        #expect(try remote.get(name).value == content)
    }

    @Test(arguments: StoreKind.chosen) func listingsNameWhatIsThereAndDeletingTwiceIsAsGood(kind: StoreKind) throws {
        let remote = try world(kind).remote()
        let folder = try #require(StoreFolder(.object, shard: 0xAB))
        #expect(try remote.list(folder).value == [])
        let names = Set((0..<7).map { Names.name(.object, 500 + $0, shard: 0xAB) })
        for name in names { #expect(try remote.put(name, [1]).value == 0) }
        #expect(try remote.list(folder).value == names)
        for name in names { #expect(try remote.delete(name).value == 0) }
        for name in names { #expect(try remote.delete(name).value == 0) }
        #expect(try remote.list(folder).value == [])
        let header = Names.name(.header, 12)
        #expect(try remote.put(header, [2]).value == 0)
        #expect(try remote.list(try #require(StoreFolder(.header))).value?.contains(header) == true)
    }

    @Test(arguments: StoreKind.chosen) func sixteenRequestsAtOnceAreAllAnswered(kind: StoreKind) throws {
        let remote = try world(kind).remote()
        let files = (0..<16).map { MemoryFile(bytes(3_000 + $0, UInt64($0))) }
        var open: Set<Ticket> = []
        for (index, file) in files.enumerated() {
            let content = file.bytes(3_000 + index)
            open.insert(
                try remote.process.put(
                    Names.name(.segment, 900 + index), from: file.descriptor, byteCount: content.count,
                    digest: Digest.of(content)))
        }
        #expect(throws: SyncProcess.Failure.busy) { try remote.process.delete(Names.name(.segment, 0)) }
        while !open.isEmpty {
            guard case .done(let ticket, _) = try remote.next(20) else {
                Issue.record("one was refused")
                return
            }
            open.remove(ticket)
        }
        for (index, file) in files.enumerated() {
            #expect(try remote.get(Names.name(.segment, 900 + index)).value == file.bytes(3_000 + index))
        }
    }

    @Test(arguments: StoreKind.chosen) func aLargerFileThanWasAskedForIsNotTaken(kind: StoreKind) throws {
        let remote = try world(kind).remote()
        let name = Names.name(.segment, 30)
        #expect(try remote.put(name, bytes(200_000, 3)).value == 0)
        #expect(try remote.get(name, max: 199_999).failure?.code == .tooLarge)
        #expect(try remote.get(name, max: 200_000).value?.count == 200_000)
    }

    /// An empty mount point, an emptied account: puts must not look as if they were kept.
    @Test(arguments: StoreKind.chosen.filter { $0 == .folder || $0.isWebDAV })
    func X63ARemoteWhoseFolderIsGoneIsNotMadeAgainUnasked(kind: StoreKind) throws {
        let world = try world(kind)
        var order = try world.order(creates: false)
        order.vault[0] ^= 1
        let remote = try Remote(
            order, folder: world.folder?.url, world.server?.password[0] ?? "", world.server?.password[1] ?? "")
        #expect(try remote.put(Names.name(.card, 1), [1]).failure?.code == .missing)
    }

    /// A folder that every vault has, and that somebody has removed, is made again; the vault's own is not.
    @Test(arguments: StoreKind.chosen.filter(\.isWebDAV))
    func aFolderThatIsSupposedAndMissingIsMade(kind: StoreKind) throws {
        let world = try world(kind)
        #expect(try world.remote().put(Names.name(.segment, 41), [1]).value == 0)
        let files = try #require(world.server).place.appending(path: "files/notes/notevault-1")
        let vault = try #require(FileManager.default.contentsOfDirectory(atPath: files.path).first)
        for letter in ["h", "d", "s"] {
            try? FileManager.default.removeItem(at: files.appending(path: "\(vault)/\(letter)"))
        }
        let order = try world.order(creates: false)
        let remote = try Remote(
            order, folder: nil, world.server?.password[0] ?? "", world.server?.password[1] ?? "")
        for area in [StoreArea.card, .segment] {
            #expect(try remote.put(Names.name(area, 42), [2]).value == 0, "\(area)")
            #expect(try remote.get(Names.name(area, 42)).value == [2], "\(area)")
        }
    }
}
