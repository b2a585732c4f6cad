// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultAgent

/// Which headers of a remote are read: what its listing says is never evidence that something is not there.
struct HeaderReadingTests {
    private func digest(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 32) }

    private func name(_ counter: UInt64, _ number: UInt8) -> RemoteHeaderName {
        RemoteHeaderName(counter: counter, digest: digest(number))
    }

    @Test func aHeaderThatAListingLeavesOutIsAskedForByTheNamesThatItCanHave() {
        let tried = HeaderReading.tried(of: [name(3, 9)], named: [digest(1)], after: 3)
        #expect(tried.first == name(4, 1) && tried.contains(name(19, 1)) && tried.last == name(3, 9))
    }

    @Test func theEndingThatCountsIsAskedForAlsoWhereAnotherOneIsListed() {
        let tried = HeaderReading.tried(of: [name(5, 2)], named: [digest(1), digest(2)], after: 3)
        #expect(tried.contains(name(4, 1)) && !tried.contains(name(4, 2)) && tried.contains(name(5, 2)))
    }

    @Test func whatIsListedIsNotGuessedAndComesFirst() {
        let tried = HeaderReading.tried(of: [name(8, 9), name(5, 1)], named: [digest(1), digest(2)], after: 3)
        #expect(tried == [name(5, 1), name(8, 9)])
    }

    @Test func endingsWithoutNumberAreNotAskedForWithoutEnd() {
        let named = (0..<200).map { digest($0) }
        #expect(HeaderReading.tried(of: [], named: named, after: 3).count == 64)
        #expect(HeaderReading.tried(of: [], named: named, after: .max - 1).count == 4)
        #expect(HeaderReading.tried(of: [name(1, 1)], named: [], after: .max) == [name(1, 1)])
    }
}
