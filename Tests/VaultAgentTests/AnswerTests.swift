// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Glibc
import Testing
import VaultCore

@testable import VaultAgent

/// Answers that are not whole, as a script and a person read them.
struct AnswerTests {
    /// What a client is sent, frames and all.
    private func sent(json: Bool, _ answer: (Answer) -> Void) -> String {
        var ends: [Int32] = [0, 0]
        #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let connection = Connection(taking: ends[0])
        (connection.presentation.json, connection.presentation.isTerminal) = (json, !json)
        answer(Answer(connection))
        connection.flush()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(ends[1], &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test(arguments: [false, true]) func aListThatWasCutShortSaysSo(isCutShort: Bool) {
        func list(json: Bool) -> String {
            sent(json: json) { $0.filtered([], total: isCutShort ? nil : 0, offset: 0, hasMore: false, isCutShort: isCutShort, long: false) }
        }
        #expect(list(json: true).contains(#""more":false,"complete":\#(!isCutShort)}"#))
        #expect(list(json: true).contains("vault ls --all") == isCutShort)
        #expect(list(json: false).contains("0+ Notes") == isCutShort && list(json: false).contains("vault ls --all") == isCutShort)
    }

    @Test(arguments: [false, true]) func aSearchThatWasCutShortSaysSo(isCutShort: Bool) {
        func search(json: Bool) -> String {
            sent(json: json) { $0.search(SearchPage(hits: [], hasMore: false, isCutShort: isCutShort), shownBefore: 20) }
        }
        #expect(search(json: true).contains(#""more":false,"complete":\#(!isCutShort)}"#))
        #expect(search(json: true).contains("vault search --all") == isCutShort)
        #expect(search(json: false).contains(isCutShort ? "0+ Notes" : "0 of 20 Notes"))
    }
}
