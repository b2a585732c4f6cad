// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Glibc
import Testing

/// The locked memory that libcrypto's contexts lie in.
@Suite struct KeyArenaTests {
    private static let pageByteCount = 4096

    @Test func J09eachBlockLiesInPagesThatNoSwapAndNoCoreSees() throws {
        let arena = try Arena(pageCount: 4)
        #expect(arena.state.lockedByteCount == 4 * Self.pageByteCount, "as many as any limit allows")
        for byteCount in [1, 32, 33, 1000, 4096] {
            let block = try #require(arena.take(byteCount))
            let flags = try #require(MemoryMap.flags(at: block.address))
            #expect(flags.isSuperset(of: ["lo", "dd", "wf"]), "\(byteCount) bytes: \(flags)")
        }
    }

    @Test func J09aBlockIsWipedAsItIsGivenBack() throws {
        let arena = try Arena(pageCount: 1)
        let (block, other) = (try #require(arena.take(100)), try #require(arena.take(100)))
        let size = arena.size(block)
        block.fill(0xA5, size)
        other.fill(0x5A, arena.size(other))
        #expect(arena.give(block))
        #expect(block.isAll(0, size))
        #expect(other.isAll(0x5A, size), "and its neighbour is not")
        #expect(arena.state.usedByteCount == size)
    }

    @Test func blocksAreAlignedAndApart() throws {
        let arena = try Arena(pageCount: 64)
        var taken: [(from: UInt, to: UInt)] = []
        for round in 0..<200 {
            let byteCount = [1, 16, 48, 176, 700, 1100][round % 6]
            let block = try #require(arena.take(byteCount))
            #expect(block.address % 16 == 0)
            taken.append((block.address, block.address + UInt(byteCount)))
        }
        taken.sort { $0.from < $1.from }
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0.to <= $1.from })
    }

    @Test func J09aFullArenaRefusesAndSaysSo() throws {
        let arena = try Arena(pageCount: 2)
        let blocks = try (0..<4).map { _ in try #require(arena.take(2048)) }
        #expect(arena.state.unlockedCount == 0)
        #expect(arena.take(32) == nil)
        #expect(arena.state.unlockedCount == 1)
        #expect(arena.take(4097) == nil && arena.take(0) == nil)
        #expect(arena.state.largeCount == 1 && arena.state.unlockedCount == 1)
        for block in blocks { #expect(arena.give(block)) }
        #expect(arena.state.usedByteCount == 0 && arena.state.peakByteCount == 2 * Self.pageByteCount)
        #expect(arena.take(4096) != nil, "pages that are empty again hold blocks of any size")
    }

    @Test func J09whatIsNoBlockIsLeftAlone() throws {
        let arena = try Arena(pageCount: 1)
        let (block, other) = (try #require(arena.take(64)), try #require(arena.take(64)))
        other.fill(0x5A, 64)
        #expect(arena.give(block))
        #expect(!arena.give(block), "twice")
        #expect(!arena.give(other + 1), "from its middle")
        #expect(!arena.give(other + 64 * 5), "never taken")
        #expect(!arena.give(other + UInt(Self.pageByteCount)), "behind the arena")
        #expect(!arena.give(Block(address: 0)))
        #expect(arena.state.strayCount == 5 && arena.state.usedByteCount == 64)
        #expect(other.isAll(0x5A, 64) && arena.size(other) == 64 && arena.size(block) == 0)
    }

    @Test func J09whatTheLimitLetsBeLockedIsTakenFirst() throws {
        let arena = try Arena(pageCount: 3, lockedMax: Self.pageByteCount + 100)
        #expect(arena.state.lockedByteCount == Self.pageByteCount)
        let first = try #require(arena.take(4096))
        #expect(arena.state.unlockedCount == 0)
        let second = try #require(arena.take(2048))
        #expect(arena.state.unlockedCount == 1, "what may reach swap is counted")
        #expect(arena.give(first))
        let third = try #require(arena.take(2048))
        #expect(third == first, "a locked page before one of the right size that is not")
        #expect(third != second && arena.state.unlockedCount == 1)
    }

    @Test func manyThreadsTakeAndGiveAtOnce() async throws {
        let arena = try Arena(pageCount: 64)
        let broken = await withTaskGroup(of: Int.self) { group in
            for mark in UInt8(1)...8 {
                group.addTask {
                    var broken = 0
                    for round in 0..<2000 {
                        let byteCount = 32 << (round % 6)
                        guard let block = arena.take(byteCount) else { continue }
                        block.fill(mark, byteCount)
                        if !block.isAll(mark, byteCount) || !arena.give(block) { broken += 1 }
                    }
                    return broken
                }
            }
            return await group.reduce(0, +)
        }
        #expect(broken == 0 && arena.state.usedByteCount == 0 && arena.state.strayCount == 0)
    }

    @Test func J09libcryptosBlocksMoveWholeAndLeaveNothingBehind() throws {
        #expect(vs_libcrypto_arena_begin(1 << 16) == 0)
        let small = try #require(Block.fresh(40))
        small.fill(0xA5, 40)
        let used = vs_libcrypto_arena_state().usedByteCount
        #expect(small.moved(to: 60) == small, "there is room behind it")
        let grown = try #require(small.moved(to: 900))
        #expect(grown != small && small.isAll(0, 40) && grown.isAll(0xA5, 40))
        #expect(vs_libcrypto_arena_state().usedByteCount == used - 64 + 1024)
        let large = try #require(grown.moved(to: 100_000))
        #expect(large.isAll(0xA5, 40), "ordinary by now")
        #expect(grown.isAll(0, 40))
        #expect(vs_libcrypto_arena_state().usedByteCount == used - 64)
        #expect(large.moved(to: 0) == nil)
        vs_libcrypto_free(nil, nil, 0)
        #expect(vs_libcrypto_arena_state().strayCount == 0)
    }
}

/// Where a block begins.
@safe private struct Block: Equatable, Sendable {
    let address: UInt

    init(address: UInt) { self.address = address }
    init?(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer = unsafe pointer else { return nil }
        address = UInt(bitPattern: pointer)
    }

    var pointer: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: address) }
    static func + (block: Block, byteCount: UInt) -> Block { Block(address: block.address + byteCount) }

    func fill(_ byte: UInt8, _ byteCount: Int) { unsafe memset(pointer!, Int32(byte), byteCount) }
    func isAll(_ byte: UInt8, _ byteCount: Int) -> Bool {
        unsafe UnsafeRawBufferPointer(start: pointer, count: byteCount).allSatisfy { $0 == byte }
    }
    static func fresh(_ byteCount: Int) -> Block? { unsafe Block(vs_libcrypto_malloc(byteCount, nil, 0)) }
    func moved(to byteCount: Int) -> Block? { unsafe Block(vs_libcrypto_realloc(pointer, byteCount, nil, 0)) }
}

/// An arena of a test's own.
@safe private final class Arena: @unchecked Sendable {
    private struct NoMemory: Error {}
    private let arena: OpaquePointer

    init(pageCount: Int, lockedMax: Int = .max) throws {
        guard let made = unsafe vs_arena_make(pageCount * 4096, lockedMax) else { throw NoMemory() }
        unsafe arena = made
    }

    deinit { unsafe vs_arena_end(arena) }

    var state: vs_arena_state { unsafe vs_arena_state(arena) }
    func take(_ byteCount: Int) -> Block? { unsafe Block(vs_arena_take(arena, byteCount)) }
    func give(_ block: Block) -> Bool { unsafe vs_arena_give(arena, block.pointer) == 1 }
    func size(_ block: Block) -> Int { unsafe vs_arena_block_size(arena, block.pointer) }
}
