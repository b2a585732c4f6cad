// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Testing

/// The memory in which Argon2id works.
@Suite struct LargePagesTests {
    private static let largePage = 2 << 20

    @Test(arguments: [1, 4096, 4097, largePage - 1, largePage, largePage + 1, 3 * largePage - 4096])
    func E07pagesAreZeroAndStayOutOfCoreFilesAndForkedChildren(byteCount: Int) throws {
        var memory: UnsafeMutablePointer<UInt8>?
        #expect(unsafe vs_large_pages_map(&memory, byteCount) == 0)
        let pages = try #require(unsafe memory)
        defer { unsafe vs_large_pages_unmap(pages, byteCount) }
        let address = UInt(bitPattern: pages)
        for offset in [0, byteCount / 2, byteCount - 1] {
            #expect(unsafe pages[offset] == 0)
            unsafe pages[offset] = 0xA5
            let flags = try #require(MemoryMap.flags(at: address + UInt(offset)))
            #expect(flags.isSuperset(of: ["dd", "wf"]), "\(byteCount) bytes: \(flags)")
        }
        #expect(address % (byteCount < Self.largePage ? 4096 : UInt(Self.largePage)) == 0)
    }

    @Test(arguments: [largePage, 5 * largePage + 1])
    func nothingStaysMappedAfterwards(byteCount: Int) throws {
        var memory: UnsafeMutablePointer<UInt8>?
        #expect(unsafe vs_large_pages_map(&memory, byteCount) == 0)
        let pages = try #require(unsafe memory)
        let last = UInt(bitPattern: pages) + UInt(byteCount - 1)
        #expect(MemoryMap.flags(at: last) != nil)
        unsafe vs_large_pages_unmap(pages, byteCount)
        #expect(
            MemoryMap.flags(at: last)?.contains("hg") != true, "another mapping may lie there by now, of small pages")
    }

    @Test(arguments: [Int.max, Int.max - 4096, -1])
    func whatIsTooLargeIsRefused(byteCount: Int) {
        var memory: UnsafeMutablePointer<UInt8>? = unsafe UnsafeMutablePointer(bitPattern: 8)
        #expect(unsafe vs_large_pages_map(&memory, byteCount) == -1)
        #expect(unsafe memory == nil)
    }
}
