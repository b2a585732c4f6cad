// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import WebProtocol

@testable import VaultClient

struct PageBooksTests {
    @Test func theServerAsksForThreeThingsAndNothingElse() {
        let shelves: [UInt8: BookShelf] = [1: .wishlist, 2: .reading, 3: .archived]
        for number in UInt8.min...UInt8.max {
            #expect(PageBooks.Errand(.addBook, number) == shelves[number].map { .add($0) })
            #expect(PageBooks.Errand(.searchBooks, number) == .search)
            #expect(PageBooks.Errand(.agreeToBooks, number) == .agree)
        }
        for ask in WebAsk.allCases where ![.searchBooks, .agreeToBooks, .addBook].contains(ask) {
            #expect(PageBooks.Errand(ask, 1) == nil)
        }
        let words = PageBooks.Errand.all.map(\.word)
        #expect(words == ["search", "agree", "add-wishlist", "add-reading", "add-archived"])
    }
}
