// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import ParserProtocol
import Testing

struct FetchFrameTests {
    private static let address = FetchAddress("https://www.googleapis.com/books/v1/volumes?q=x")!
    private static let proxy = ProxySettings(server: "http://u:p@10.0.0.1:3128", except: "localhost,.example.org")!
    private static let orders = [
        FetchOrder(address, of: .google), FetchOrder(address, of: .google, hasKey: true, proxy: proxy, seconds: 3),
        FetchOrder(address, of: .openlibrary, hasKey: true), FetchOrder(coverAt: address, of: .google, seconds: 0),
        FetchOrder(coverAt: address, of: .openlibrary, proxy: proxy, seconds: 255),
    ]
    private static let outcomes: [FetchAnswer.Outcome] =
        [
            .whole(byteCount: 0), .whole(byteCount: 5 << 20), .timedOut, .quota(retryAfter: 0),
            .quota(retryAfter: 86_400),
            .failing, .notFound, .tooLarge, .malformed(isPage: true), .malformed(isPage: false), .elsewhere, .untrusted,
        ] + FetchAnswer.Lack.allCases.map { .noNetwork($0) } + FetchAnswer.Refusal.allCases.map { .refused($0) }

    @Test(arguments: orders) func anOrderIsReadAsItWasWritten(order: FetchOrder) throws {
        #expect(try FetchOrder(parsing: order.encoded) == order)
        #expect(order.input == RecordFrame.enclosing(order.encoded) + [0, 0, 0, 0])
    }

    @Test func anOrderSaysWhatItsKindMayTake() {
        #expect(Self.orders[0].byteCountMax == 1 << 20 && Self.orders[3].byteCountMax == 5 << 20)
        #expect(Self.orders[1].takesKey && !Self.orders[2].takesKey && !Self.orders[3].takesKey)
        #expect(Self.orders[3].seconds == 1 && Self.orders[4].seconds == 60)
    }

    @Test(arguments: orders) func noBeginningOfAnOrderIsOne(order: FetchOrder) {
        let bytes = order.encoded
        for count in 0..<bytes.count {
            #expect(throws: RecordError.self) { try FetchOrder(parsing: Array(bytes.prefix(count))) }
        }
        #expect(throws: RecordError.self) { try FetchOrder(parsing: bytes + [0]) }
    }

    @Test func anOrderWithOneWrongByteIsNoneOrAnother() {
        for order in Self.orders {
            for at in order.encoded.indices {
                for change: UInt8 in [1, 2, 0x80, 0xFF] {
                    var bytes = order.encoded
                    bytes[at] ^= change
                    guard let read = try? FetchOrder(parsing: bytes) else { continue }
                    #expect(read != order && read.encoded == bytes)
                }
            }
        }
    }

    @Test func aKeyIsForDataAlone() {
        var bytes = Self.orders[3].encoded
        bytes[3] = 1
        #expect(throws: RecordError(.notCanonical, offset: 3)) { try FetchOrder(parsing: bytes) }
        #expect(FetchOrder.isKey(Array("AIza-x_1".utf8)))
        for key in ["", "a b", "a\r\nX: y", "\u{fc}", String(repeating: "a", count: 513)] {
            #expect(!FetchOrder.isKey(Array(key.utf8)))
        }
    }

    @Test(arguments: outcomes) func anAnswerIsReadAsItWasWritten(outcome: FetchAnswer.Outcome) throws {
        for status: UInt16 in [0, 200, 429, 999] {
            let answer = FetchAnswer(outcome, httpStatus: status)
            #expect(try FetchAnswer(parsing: answer.encoded) == answer)
            #expect(answer.encoded.count == FetchAnswer.byteCount)
            for count in 0..<answer.encoded.count {
                #expect(throws: RecordError.self) { try FetchAnswer(parsing: Array(answer.encoded.prefix(count))) }
            }
        }
    }

    @Test func anAnswerOfUnknownNumbersIsNone() {
        for bytes: [UInt8] in [
            [2, 1, 0, 200, 0, 0, 0, 0], [1, 0, 0, 200, 0, 0, 0, 0], [1, 12, 0, 200, 0, 0, 0, 0],
            [1, 1, 0, 9, 0, 0, 0, 0],
            [1, 1, 0, 200, 0, 0x50, 0, 1], [1, 2, 0, 0, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0, 1, 1],
            [1, 3, 0, 0, 0, 0, 0, 1],
            [1, 4, 1, 173, 0, 1, 0x51, 0x81], [1, 5, 1, 147, 0, 0, 0, 3], [1, 9, 0, 200, 0, 0, 0, 2],
        ] {
            #expect(throws: RecordError.self) { try FetchAnswer(parsing: bytes) }
        }
    }

    @Test func anOutputHasTheBytesThatItSays() throws {
        let whole = RecordFrame.enclosing(FetchAnswer(.whole(byteCount: 3), httpStatus: 200).encoded)
        #expect(try FetchAnswer.parse(output: whole + [1, 2, 3]).body == [1, 2, 3])
        #expect(throws: RecordError(.truncated)) { try FetchAnswer.parse(output: whole + [1, 2]) }
        #expect(throws: RecordError(.trailingBytes)) { try FetchAnswer.parse(output: whole + [1, 2, 3, 4]) }
        let failed = RecordFrame.enclosing(FetchAnswer(.timedOut).encoded)
        #expect(try FetchAnswer.parse(output: failed).answer.outcome == .timedOut)
        for count in 0..<failed.count {
            #expect(throws: RecordError.self) { try FetchAnswer.parse(output: Array(failed.prefix(count))) }
        }
    }

    @Test func X67aServerLeadsToItselfAndACoverToItsHosts() throws {
        let from = try #require(FetchAddress("https://covers.openlibrary.org/b/id/1-L.jpg"))
        let data = FetchOrder.Redirects.sameServer, covers = FetchOrder.Redirects.openLibraryCovers
        for (text, isForData, isForCovers) in [
            ("https://covers.openlibrary.org/x", true, true), ("https://covers.openlibrary.org:8443/x", false, false),
            ("https://archive.org/download/x", false, true), ("https://ia1.us.archive.org/x", false, true),
            ("https://archive.org:8443/x", false, false), ("https://books.google.com/x", false, false),
            ("http://127.0.0.1/x", false, false), ("https://localhost/x", false, false),
        ] {
            let to = try #require(FetchAddress(text))
            #expect(
                data.allow(from: from, to: to) == isForData && covers.allow(from: from, to: to) == isForCovers,
                "\(text)")
        }
        let here = try #require(FetchAddress("http://127.0.0.1:8080/x"))
        #expect(!covers.allow(from: here, to: try #require(FetchAddress("https://archive.org/x"))))
        #expect(covers.allow(from: here, to: try #require(FetchAddress("http://127.0.0.1:8080/y"))))
        #expect(!covers.allow(from: here, to: try #require(FetchAddress("http://127.0.0.1:8081/y"))))
    }
}
