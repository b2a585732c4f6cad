// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import WebServer

struct FormFieldsTests {
    @Test func valuesComeInTheirOrder() throws {
        let fields = try #require(FormFields(parsing: Array("id=a&id=b%20c&x=1+2&empty=&alone&%C3%A4=%E2%82%AC".utf8)))
        #expect(fields.all("id") == ["a", "b c"])
        #expect(fields["x"] == "1 2" && fields["empty"] == "" && fields["alone"] == "" && fields["ä"] == "€")
        #expect(fields["none"] == nil && !fields.flag("x") && fields.number("x") == nil)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "%f0%9f=1"])
    func whatIsNoTextIsRefused(_ text: String) { #expect(FormFields(parsing: Array(text.utf8)) == nil) }

    @Test func tooManyAreRefused() {
        let text = Array(repeating: "a=b", count: FormFields.countMax + 1).joined(separator: "&")
        #expect(FormFields(parsing: Array(text.utf8)) == nil)
        #expect(FormFields(parsing: Array(text.utf8.dropLast(4))) != nil)
    }
}
