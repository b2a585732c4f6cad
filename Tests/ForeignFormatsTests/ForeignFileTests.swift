// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

struct ForeignFileTests {
    @Test func aFrameIsReadBackAsTheSameValue() throws {
        let file = try ForeignFile(path: [0x61, 0x2F, 0xFF], modified: -5, content: [0, 1, 2])
        #expect(try ForeignFile(parsing: file.encoded) == file)
        let empty = try ForeignFile(path: [0x61], modified: .max, content: [])
        #expect(try ForeignFile(parsing: empty.encoded) == empty)
    }

    @Test func theBytesOfAFrameAreFixed() throws {
        let file = try ForeignFile(path: Array("a.md".utf8), modified: 258, content: Array("x".utf8))
        let expected: [UInt8] = [0, 0, 0, 15, 0, 4, 0x61, 0x2E, 0x6D, 0x64, 0, 0, 0, 0, 0, 0, 1, 2, 0x78]
        #expect(RecordFrame.enclosing(file.encoded) == expected)
    }

    @Test func everyPrefixThatCutsTheFixedPartIsRefused() throws {
        let encoded = try ForeignFile(path: Array("a.md".utf8), modified: 0, content: []).encoded
        for count in encoded.indices {
            #expect(throws: RecordError.self) { try ForeignFile(parsing: Array(encoded[..<count])) }
        }
    }

    @Test(arguments: ["", "/a", "a/", "a//b", "..", "../a", "a/../b", ".", "a/./b", "a\0b"])
    func aPathThatLeavesItsFolderIsRefused(path: String) {
        #expect(throws: RecordError(.badPath)) { try ForeignFile(path: Array(path.utf8), modified: 0, content: []) }
    }

    @Test(arguments: ["a", ".hidden/a", "...", "a..b/c", "a b/ü.md", "-rf", "a\nb"])
    func anOrdinaryPathIsTaken(path: String) throws {
        #expect(try ForeignFile(path: Array(path.utf8), modified: 0, content: []).sourceKey == path)
    }

    @Test func longPathsAndLargeFilesAreRefused() throws {
        let longest = [UInt8](repeating: 0x61, count: ForeignFile.pathByteCountMax)
        _ = try ForeignFile(path: longest, modified: 0, content: [])
        #expect(throws: RecordError(.tooLarge)) { try ForeignFile(path: longest + [0x61], modified: 0, content: []) }
        // Each of these bytes takes three in the key.
        let raw = [UInt8](repeating: 0xFF, count: ForeignFile.pathByteCountMax)
        #expect(throws: RecordError(.tooLarge)) { try ForeignFile(path: raw, modified: 0, content: []) }
        let content = [UInt8](repeating: 0, count: ForeignFile.byteCountMax - 11)
        _ = try ForeignFile(path: [0x61], modified: 0, content: content)
        #expect(throws: RecordError(.tooLarge)) { try ForeignFile(path: [0x61], modified: 0, content: content + [0]) }
    }

    @Test func differentPathsNeverShareAKey() throws {
        let paths: [[UInt8]] = [
            Array("a%FF".utf8), [0x61, 0xFF], [0x61, 0xFE], Array("a%25FF".utf8), [0x61, 0xFF, 0x25],
            Array("%2Fa%FF".utf8),
        ]
        let keys = try paths.map { try ForeignFile(path: $0, modified: 0, content: []).sourceKey }
        #expect(Set(keys).count == paths.count)
        #expect(keys[1] == "/a%FF")
    }

    @Test func aHeaderAboveTheCapIsRefused() throws {
        let header: [UInt8] = [0x01, 0x01, 0, 0]
        #expect(
            try RecordFrame.contentByteCount(header: header, max: ForeignFile.byteCountMax) == ForeignFile.byteCountMax)
        #expect(throws: RecordError(.tooLarge, offset: 0)) {
            try RecordFrame.contentByteCount(header: [0x01, 0x01, 0, 1], max: ForeignFile.byteCountMax)
        }
        #expect(throws: RecordError.self) { try RecordFrame.contentByteCount(header: [0, 0, 0], max: 10) }
    }
}
