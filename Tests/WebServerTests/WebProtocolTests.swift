// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CWebPage
import Testing
import WebProtocol

@testable import WebServer

struct WebProtocolTests {
    @Test func thePacketsAreReadAsTheyWereWritten() throws {
        var start = WebStart()
        start.label = "abcdefgh"
        start.port = 8765
        start.token = Array(0..<16)
        start.directory = Array("/home/x/vault".utf8)
        start.identity = [1, 2, 3]
        start.name = "/home/x/vault"
        #expect(try WebStart(parsing: start.encoded) == start)
        #expect(start.origin == "http://abcdefgh.localhost:8765")
        let answer = WebAnswer(.failed, "a message", hint: "a hint")
        #expect(try WebAnswer(parsing: answer.encoded) == answer)
        for count in 0..<start.encoded.count {
            #expect(throws: (any Error).self) { try WebStart(parsing: Array(start.encoded.prefix(count))) }
        }
        for count in 0..<answer.encoded.count {
            #expect(throws: (any Error).self) { try WebAnswer(parsing: Array(answer.encoded.prefix(count))) }
        }
    }

    @Test func F12aDroppedFileHasANameAndNoFolder() throws {
        let head = try #require(DroppedFile(name: "ä b.enex", contentByteCount: 1 << 40))
        #expect(head.encoded.count == DroppedFile.byteCount)
        #expect(try DroppedFile(parsing: head.encoded) == head)
        for name in ["", ".x", "..", "a/b", "/a", "a\0", "a\n", "a\u{7F}", String(repeating: "x", count: 201)] {
            #expect(DroppedFile(name: name, contentByteCount: 1) == nil, "\(name.debugDescription)")
        }
        for count in 0..<DroppedFile.byteCount {
            #expect(throws: (any Error).self) { try DroppedFile(parsing: Array(head.encoded.prefix(count))) }
        }
        var slashed = head.encoded
        slashed[11] = UInt8(ascii: "/")
        #expect(throws: (any Error).self) { try DroppedFile(parsing: slashed) }
        var filled = head.encoded
        filled[DroppedFile.byteCount - 1] = 1
        #expect(throws: (any Error).self) { try DroppedFile(parsing: filled) }
    }

    @Test func thePageIsSmall() {
        let files = PageRoutes.names + ["index.html"]
        #expect(files.count == vault_page_file_count && files.count > 10)
        #expect(files.reduce(0) { $0 + (PageRoutes.file($1)?.count ?? .max) } <= 200 << 10)
    }

    /// A script that makes HTML of a text is one mistake away from a hostile note.
    @Test func noScriptMakesHTML() throws {
        for name in PageRoutes.names where name.hasSuffix(".js") {
            let text = String(decoding: try #require(PageRoutes.file(name)), as: UTF8.self)
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "localStorage",
                "sessionStorage", "indexedDB", "document.cookie", "document.title",
            ] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
        }
    }

    @Test func aSessionHasOneKeyAndATokenCountsOnce() throws {
        let session = WebSession(token: Array(repeating: 7, count: 16))
        let token = Array(String(repeating: "07", count: 16).utf8)
        #expect(session.open(Array("wrong".utf8)) == .refused)
        guard case .opened(let key) = session.open(token) else {
            Issue.record("the token does not count")
            return
        }
        #expect(session.knows("__Host-vault=\(key)") && session.knows("a=b; __Host-vault=\(key)"))
        #expect(
            !session.knows("__Host-vault=\(key); __Host-vault=\(key)") && !session.knows(key) && !session.knows(nil))
        #expect(session.open(token) == .refused && session.open(token) == .ended)
    }
}
