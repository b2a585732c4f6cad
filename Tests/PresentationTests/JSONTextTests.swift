// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultTesting

internal import Foundation
internal import Testing

@testable internal import Presentation

struct JSONTextTests {
    private func text(_ value: JSONText) -> String { String(decoding: value.encoded, as: UTF8.self) }

    @Test func writesValuesInOrder() {
        let value = JSONText.object([
            ("b", .int(-3)), ("a", .array([.bool(true), .null, .string("x"), .array([]), .object([])])),
            ("when", .date(0)),
        ])
        #expect(text(value) == #"{"b":-3,"a":[true,null,"x",[],{}],"when":"1970-01-01T00:00:00.000Z"}"#)
    }

    @Test func escapesWhatJSONAndTerminalsAskFor() {
        #expect(text(.string("\"\\/\n\r\t\0\u{1B}\u{7F}\u{9B}")) == #""\"\\/\n\r\t\u0000\u001b\u007f\u009b""#)
        #expect(text(.string("\u{202E}\u{2028}\u{E0041}")) == #""\u202e\u2028\udb40\udc41""#)
        #expect(text(.string("é日👩‍👧")) == "\"é日👩‍👧\"")
    }

    @Test func anotherParserReadsBackTheSame() throws {
        var random = SeededGenerator(23)
        for _ in 0..<300 {
            let scalars = (0..<80).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &random)) }
            let string = String(String.UnicodeScalarView(scalars))
            let parsed = try JSONDecoder().decode(
                [String: [String]].self, from: Data(JSONText.object([(string, .array([.string(string)]))]).encoded))
            #expect(parsed == [string: [string]])
        }
    }
}
