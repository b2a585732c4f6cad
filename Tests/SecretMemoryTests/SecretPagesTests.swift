// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Foundation
import SecretMemory
import Testing
import VaultTesting

/// What the kernel was told of a secret's pages, read back from the kernel.
struct SecretPagesTests {
    @Test(arguments: [1, 32, 4096, 4097, 100_000])
    func E07pagesStayOutOfCoreFilesAndForkedChildren(byteCount: Int) throws {
        let secret = SecretBytes(array: [UInt8](repeating: 0xA5, count: byteCount))
        for offset in [0, byteCount - 1] {
            let flags = try #require(MemoryMap.flags(at: secret.address + UInt(offset)))
            #expect(flags.contains("dd"), "MADV_DONTDUMP")
            #expect(flags.contains("wf"), "MADV_WIPEONFORK")
        }
        #expect(secret.byteCount == byteCount)
    }

    /// The address sanitizer answers mlock itself and locks nothing.
    private static let isSanitized = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__asan_init") != nil

    @Test(.disabled(if: isSanitized, "a sanitizer takes mlock's place"))
    func E07lockingIsReportedAsItIs() throws {
        let secret = SecretBytes(zeroes: 32)
        let flags = try #require(MemoryMap.flags(at: secret.address))
        #expect(secret.isLocked == flags.contains("lo"))
    }

    @Test func aSecretSharesNoPageWithAnother() {
        let one = SecretBytes(zeroes: 16)
        let two = SecretBytes(zeroes: 16)
        #expect(one.address / 4096 != two.address / 4096)
        #expect(one.address % 4096 == 0 && two.address % 4096 == 0)
    }

    /// No optimiser removes explicit_bzero; a loop or memset before munmap it may. The pages are gone afterwards, so
    /// the call itself is what can be looked at.
    @Test func E08pagesAreWipedBeforeTheyAreGivenBack() throws {
        let shims = try Sources.text("CSystemShims/shims.c")
        let unmap = try #require(shims.firstRange(of: "void vs_secret_unmap"))
        let body = shims[unmap.upperBound...].prefix { $0 != "}" }
        let wipe = try #require(body.firstRange(of: "explicit_bzero(pages, byteCount)"))
        let release = try #require(body.firstRange(of: "munmap(pages, byteCount)"))
        #expect(wipe.upperBound <= release.lowerBound)
        let secret = try Sources.text("SecretMemory/SecretBytes.swift")
        let end = try #require(secret.firstRange(of: "deinit {"))
        #expect(secret[end.upperBound...].prefix { $0 != "}" }.contains("vs_secret_unmap(pages, max(byteCount, 1))"))
    }

    @Test func secretsCannotBeCopiedComparedOrPrinted() throws {
        let source = try Sources.text("SecretMemory/SecretBytes.swift")
        #expect(source.contains("public struct SecretBytes: ~Copyable, @unchecked Sendable {"))
        for word in ["Equatable", "Hashable", "Codable", "CustomStringConvertible", "var description"] {
            #expect(!source.contains(word))
        }
    }

    /// A frame that left a marker, at the depth of a request's.
    @inline(never) private static func leaveMarker(_ depth: Int) -> UInt {
        unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { room in
            unsafe room.initializeMemory(as: UInt8.self, repeating: 0xB7)
            let deeper = depth > 0 ? leaveMarker(depth - 1) : 0
            return deeper == 0 ? UInt(bitPattern: room.baseAddress) : deeper
        }
    }

    /// Read back from the kernel, since no frame of ours may look below itself.
    @Test func E06WhatReturnedFramesHeldIsWipedOffTheStack() throws {
        let memory = unsafe open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        var found = [UInt8](repeating: 0, count: 512)
        let place = Self.leaveMarker(20)
        vs_wipe_stack()
        let got = unsafe found.withUnsafeMutableBytes { unsafe pread(memory, $0.baseAddress, 512, Int(place)) }
        #expect(got == 512 && !found.contains(0xB7))
    }
}

/// /proc/self/smaps: a line with the range of addresses, then details, at last `VmFlags: rd wr …`. Spec: proc(5).
enum MemoryMap {
    static func flags(at address: UInt) -> Set<Substring>? {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/smaps"), let data = try? file.readToEnd() else {
            return nil
        }
        var isInside = false
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = (words.first ?? "").split(separator: "-").compactMap { UInt($0, radix: 16) }
            if ends.count == 2 { isInside = ends[0] <= address && address < ends[1] }
            if isInside, words.first == "VmFlags:" { return Set(words.dropFirst()) }
        }
        return nil
    }
}

enum Sources {
    static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: "Sources").appending(path: path), encoding: .utf8)
    }
}
