// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Testing

/// The memory in which Argon2id works.
@Suite struct LargePagesTests {
    private static let largePage = 2 << 20

    @Test(arguments: [1, 4096, 4097, largePage - 1, largePage, largePage + 1, 3 * largePage - 4096])
    func E07pagesAreZeroAndStayOutOfCoreFilesAndForkedChildren(byteCount: Int) throws {
        let pages = try #require(LargePages(byteCount))
        for offset in Set([0, byteCount / 2, byteCount - 1]) {
            #expect(pages[offset] == 0)
            pages[offset] = 0xA5
            let flags = try #require(MemoryMap.flags(at: pages.address + UInt(offset)))
            #expect(flags.isSuperset(of: ["dd", "wf"]), "\(byteCount) bytes: \(flags)")
        }
        #expect(pages.address % (byteCount < Self.largePage ? 4096 : UInt(Self.largePage)) == 0)
    }

    @Test func nothingStaysMappedAfterwards() throws {
        var pages = LargePages(32 * Self.largePage + 1)
        // Far from both ends: what is mapped next comes there.
        let middle = try #require(pages).address + UInt(16 * Self.largePage)
        #expect(MemoryMap.flags(at: middle)?.contains("dd") == true)
        pages = nil
        #expect(MemoryMap.flags(at: middle)?.contains("dd") != true)
    }

    @Test(arguments: [Int.max, Int.max - 4096, -1])
    func whatIsTooLargeIsRefused(byteCount: Int) {
        #expect(LargePages(byteCount) == nil)
    }
}

@safe private final class LargePages {
    private let memory: UnsafeMutablePointer<UInt8>
    private let byteCount: Int

    init?(_ byteCount: Int) {
        var mapped: UnsafeMutablePointer<UInt8>? = unsafe UnsafeMutablePointer(bitPattern: 8)
        let result = unsafe vs_large_pages_map(&mapped, byteCount)
        guard result == 0, let found = unsafe mapped else {
            let isTold = unsafe mapped == nil && result == -1
            #expect(isTold, "libargon2 looks at the pointer alone")
            return nil
        }
        unsafe memory = found
        self.byteCount = byteCount
    }

    deinit { unsafe vs_large_pages_unmap(memory, byteCount) }

    var address: UInt { unsafe UInt(bitPattern: memory) }

    subscript(offset: Int) -> UInt8 {
        get { unsafe memory[offset] }
        set { unsafe memory[offset] = newValue }
    }
}
