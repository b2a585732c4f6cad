// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

struct RecordTests {
    private func code(_ content: [UInt8]) -> RecordError.Code? {
        do throws(RecordError) {
            _ = try RecoveryPageRecord(parsing: content)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let key = Array(Samples.key.utf8)
        let leading = try RecoveryPageRecord.leading(
            vaultID: Samples.vaultID, date: "2028-02-29", name: "Büro (1)", keyByteCount: key.count)
        let frame = leading + key
        let header = Array(frame[..<RecordFrame.headerByteCount])
        #expect(
            try RecordFrame.contentByteCount(header: header, max: RecoveryPageRecord.byteCountMax) == frame.count - 4)
        let record = try RecoveryPageRecord(parsing: Array(frame[4...]))
        #expect(record.vaultID == Samples.vaultID && record.date == "2028-02-29" && record.name == "Büro (1)")
        #expect(Array(record.key) == key)
    }

    @Test func theLargestRecordIsRead() throws {
        let content = Samples.content(name: [UInt8](repeating: 0x61, count: 255), key: Array(Samples.longestKey.utf8))
        #expect(Samples.longestKey.utf8.count == 124 && content.count <= RecoveryPageRecord.byteCountMax)
        #expect(code(content) == nil)
        #expect(code(Samples.content(name: [UInt8](repeating: 0x61, count: 256))) == .tooLarge)
        #expect(code(Samples.content(key: [UInt8](repeating: 0x61, count: 129))) == .tooLarge)
        #expect(code([UInt8](repeating: 0x61, count: RecoveryPageRecord.byteCountMax + 1)) == .tooLarge)
    }

    @Test func everyPartOfARecordIsTruncated() {
        let content = Samples.content()
        for count in content.indices { #expect(code(Array(content[..<count])) == .truncated, "\(count) bytes") }
        #expect(code(content + [0]) == .trailingBytes)
    }

    @Test func lengthsThatLieAreRefused() {
        let start = Samples.vaultID + Array("2026-11-21".utf8)
        #expect(code(start + [0xFF, 0xFF, 0xFF, 0xFF]) == .tooLarge)
        #expect(code(start + [0, 0, 0, 200, 0x61]) == .truncated)
        #expect(code(start + [0, 0, 0, 1, 0x61, 0xFF, 0xFF, 0xFF, 0xFF]) == .tooLarge)
        #expect(code(start + [0, 0, 0, 1, 0x61, 0, 0, 0, 0]) == .notCanonical)
    }

    @Test(
        arguments: [
            "", "abc", "abcd-", "-abcd", "abcd-efg", "abcdefgh", "abcd--efg", "ABCD-efgh", "abcd efgh", "abc0-efgh",
            "abc1-efgh", "abc8-efgh",
            "abc9-efgh", "abcd-ef)h", "abcd-ef\\h", "abcd-efg\n", "abcd-efg\u{0}", "abcd-eföh", "abcd_efgh",
            "abcd-efgh-abcd-efg-", "abcd{efgh",
        ])
    func whatIsNoKeyIsRefused(key: String) { #expect(code(Samples.content(key: Array(key.utf8))) == .notCanonical) }

    @Test(
        arguments: [
            "2026-1-021", "2026/11/21", "2026-13-01", "2026-00-10", "2026-02-29", "2100-02-29", "2026-04-31",
            "2026-11-00", "20 6-11-21",
        ])
    func whatIsNoDayIsRefused(date: String) {
        #expect(code(Samples.content(date: date)) == .notCanonical)
        #expect(throws: RecordError.self) {
            try RecoveryPageRecord.leading(vaultID: Samples.vaultID, date: date, name: "a", keyByteCount: 44)
        }
    }

    @Test func otherFieldsAreCheckedOnBothSides() {
        #expect(
            code(Samples.content(date: "1899-12-31")) == .timeOutOfRange
                && code(Samples.content(date: "2201-01-01")) == .timeOutOfRange)
        #expect(code(Samples.content(date: "2000-02-29")) == nil)
        #expect(code(Samples.content(vaultID: [UInt8](repeating: 0, count: 16))) == .notCanonical)
        #expect(code(Samples.content(name: [])) == .notCanonical)
        #expect(code(Samples.content(name: [0x61, 0xFF])) == .notUTF8)
        #expect(code(Samples.content(name: [0xED, 0xA0, 0x80])) == .notUTF8)
        for (vaultID, name, count) in [
            ([1], "a", 44), (Samples.vaultID, "", 44), (Samples.vaultID, "a", 129), (Samples.vaultID, "a", 0),
        ] {
            #expect(throws: RecordError.self) {
                try RecoveryPageRecord.leading(
                    vaultID: vaultID.map { UInt8($0) }, date: "2026-11-21", name: name, keyByteCount: count)
            }
        }
    }
}
