// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Cuts a text behind each newline; the last line may have none.
enum LineCutter {
    /// - Returns: nil when there are more lines than are compared.
    static func ends(of text: ArraySlice<UInt8>) -> [Int]? {
        var ends: [Int] = []
        for index in text.indices where text[index] == 0x0A {
            if ends.count >= TokenizedTexts.comparedCountMax { return nil }
            ends.append(index + 1)
        }
        if ends.last ?? text.startIndex < text.endIndex {
            if ends.count >= TokenizedTexts.comparedCountMax { return nil }
            ends.append(text.endIndex)
        }
        return ends
    }

    /// How many lines there are; the last one may have no end.
    static func count(of text: ArraySlice<UInt8>) -> Int {
        var count = text.last.map { $0 == 0x0A } ?? true ? 0 : 1
        for index in text.indices where text[index] == 0x0A { count += 1 }
        return count
    }

    /// The end of the line that begins at `offset`, an offset before the text's end.
    static func end(ofLineAt offset: Int, in text: [UInt8]) -> Int {
        var index = offset
        while index < text.count {
            if text[index] == 0x0A { return index + 1 }
            index += 1
        }
        return index
    }

    /// The start of the line that ends at `offset`, an offset behind the text's start.
    static func start(ofLineEndingAt offset: Int, in text: [UInt8]) -> Int {
        var index = offset - 1
        while index > 0, text[index - 1] != 0x0A { index -= 1 }
        return index
    }
}
