// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import NIOHTTP1
import Testing

@testable import WebServer

struct BookFieldsTests {
    private func fields(_ text: String) throws -> FormFields { try #require(FormFields(parsing: Array(text.utf8))) }

    @Test func aRatingIsQuartersOfAStar() throws {
        for (text, quarters) in [("0", 0), ("25", 1), ("425", 17), ("500", 20)] {
            #expect(try BookFields.rating(fields("rating=\(text)")) == UInt8(quarters))
        }
        #expect(try BookFields.rating(fields("")) == nil)
        for text in ["525", "30", "-25", "4.5", "", "99999999999"] {
            #expect(throws: (any Error).self, "\(text)") { try BookFields.rating(fields("rating=\(text)")) }
        }
    }

    @Test func aDayIsOneOfTheCalendar() throws {
        #expect(try BookFields.day(fields("day=1970-01-02")) == 1)
        #expect(try BookFields.day(fields("day=2024-02-29")) == 19_782)
        for text in ["", "today", "2026-02-29", "2026-13-01", "1970-01-01", "1969-12-31", "2026-1-1", "2026-11-29x"] {
            #expect(throws: (any Error).self, "\(text)") { try BookFields.day(fields("day=\(text)")) }
        }
    }

    @Test func whatIsNotThereStaysAndWhatIsEmptyGoes() throws {
        let none = try BookFields.facts(fields("id=x"))
        #expect(none.authors == nil && none.subtitle == nil && none.pages == nil)
        let empty = try BookFields.facts(fields("author=&subtitle=&pages="))
        #expect(empty.authors == [] && empty.subtitle == "" && empty.pages == 0)
        let some = try BookFields.facts(fields("author=+A.+One+&author=B&pages=120"))
        #expect(some.authors == ["A. One", "B"] && some.pages == 120)
        let long = String(repeating: "x", count: 1025)
        for text in ["author=\(long)", "published=\(long)", "pages=many", "pages=-1"] {
            #expect(throws: (any Error).self) { try BookFields.facts(fields(text)) }
        }
    }

    @Test func routesOfBooksNeedASessionAndHaveSmallBodies() throws {
        let routes = BookRoutes.all + BookServiceRoutes.all
        #expect(routes.count == 14 && routes.allSatisfy { $0.needsSession && !$0.isSecret })
        #expect(routes.allSatisfy { $0.content.byteCountMax <= 64 << 10 })
        for (uri, count) in [("/api/book/found/reading", 1), ("/cover/abcd", 1), ("/cover/", 0), ("/cover/a.b", 0)] {
            let method: HTTPMethod = uri.hasPrefix("/cover") ? .GET : .POST
            let found = Routes.find(HTTPRequestHead(version: .http1_1, method: method, uri: uri))
            #expect(found.map { $0.parameters.count } ?? 0 == count, "\(uri)")
        }
    }
}
