// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import Testing

struct ISBNTests {
    @Test(arguments: [
        ("9780261102217", "9780261102217"), ("978-0-261-10221-7", "9780261102217"), ("0261102214", "9780261102217"),
        ("0-8044-2957-X", "9780804429573"), ("080442957x", "9780804429573"),
        ("ISBN 978 0 261 10221 7", "9780261102217"),
        ("ISBN-13: 978\u{2010}0\u{2013}261\u{2011}10221\u{2212}7", "9780261102217"),
        ("isbn:0261102214", "9780261102217"),
        ("979-10-90636-07-1", "9791090636071"),
    ]) func aNumberIsReadInEachForm(text: String, digits: String) {
        #expect(ISBN(text)?.digits == digits)
    }

    @Test(arguments: [
        "", "9780261102218", "0261102215", "978026110221", "97802611022177", "1234567890123", "080442957Y",
        "X261102214",
        "977026110221X", "\u{0669}780261102217", "9780261102217 and more", "the hobbit", "ISBN", "isbn:", "----------",
    ]) func anythingElseIsNoNumber(text: String) {
        #expect(ISBN(text) == nil)
    }

    @Test func theOldFormIsMadeOfTheNewOne() {
        #expect(ISBN("9780261102217")?.ten == "0261102214")
        #expect(ISBN("9780804429573")?.ten == "080442957X")
        #expect(ISBN("9791090636071")?.ten == nil)
    }

    @Test func eachDigitCounts() {
        let right = Array("9780261102217")
        for at in right.indices {
            for digit in "0123456789" where digit != right[at] {
                var wrong = right
                wrong[at] = digit
                #expect(ISBN(String(wrong)) == nil)
            }
        }
    }
}
