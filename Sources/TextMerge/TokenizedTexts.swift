// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TokenizedTexts` holds texts cut into tokens; equal tokens have one number, whichever text they stand in.
///
/// The library compares numbers, never text. Its own hash of lines is known to everyone: 40,000 lines made to have one
/// hash took it 17 s, and the time grows with the square. `Hasher` has a seed that no text can know.
struct TokenizedTexts {
    /// Tokens of one text that are compared: 2 s of work for the worst texts found (random lines of two kinds), 4 s for
    /// a merge.
    static let comparedCountMax = 1 << 18

    private(set) var numbers: [[UInt32]] = []
    /// Where each token of each text ends, in offsets of its slice.
    let ends: [[Int]]
    private var places: [Place] = []
    private var hashes: [Int] = []
    /// Open addressing: the number of a token plus one, 0 where none is.
    private var slots: [UInt32]
    private let texts: [ArraySlice<UInt8>]

    private struct Place {
        let text: Int
        let range: Range<Int>
    }

    /// Cuts texts into lines; nil when one of them has more lines than are compared.
    init?(linesOf texts: [ArraySlice<UInt8>]) { self.init(texts, cut: LineCutter.ends) }

    /// Cuts texts into tokens, and gives each token its number; nil when a text has too many.
    ///
    /// - Parameter cut: where each token of a text ends; nil when there are too many.
    init?(_ texts: [ArraySlice<UInt8>], cut: (ArraySlice<UInt8>) -> [Int]?) {
        var ends: [[Int]] = []
        for text in texts {
            guard let found = cut(text) else { return nil }
            ends.append(found)
        }
        let total = ends.reduce(0) { $0 + $1.count }
        var slotCount = 64
        while slotCount < total * 2 { slotCount *= 2 }
        slots = [UInt32](repeating: 0, count: slotCount)
        self.texts = texts
        self.ends = ends
        for (index, text) in texts.enumerated() {
            var start = text.startIndex
            var found: [UInt32] = []
            found.reserveCapacity(ends[index].count)
            for end in ends[index] {
                found.append(number(of: Place(text: index, range: start..<end)))
                start = end
            }
            numbers.append(found)
        }
    }

    /// How many different tokens there are; each number is below it.
    var tokenCount: Int { places.count }

    /// Returns the bytes of a token.
    func bytes(of number: UInt32) -> ArraySlice<UInt8> {
        let place = places[Int(number)]
        return texts[place.text][place.range]
    }

    /// Returns the bytes of a stretch of tokens of one text.
    func bytes(of tokens: Range<Int>, inText index: Int) -> ArraySlice<UInt8> {
        let (text, ends) = (texts[index], ends[index])
        let start = tokens.lowerBound == 0 ? text.startIndex : ends[tokens.lowerBound - 1]
        return text[start..<(tokens.isEmpty ? start : ends[tokens.upperBound - 1])]
    }

    private mutating func number(of place: Place) -> UInt32 {
        let token = texts[place.text][place.range]
        let hash = Self.hash(token)
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let known = slots[slot] - 1
            if hashes[Int(known)] == hash, bytes(of: known) == token { return known }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = UInt32(places.count)
        slots[slot] = number + 1
        places.append(place)
        hashes.append(hash)
        return number
    }

    private static func hash(_ token: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        unsafe token.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// `LineCutter` cuts a text behind each newline; the last line may have none.
enum LineCutter {
    /// Returns where each line ends; nil when there are more lines than are compared.
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

    /// Returns how many lines there are; the last one may have no end.
    static func count(of text: ArraySlice<UInt8>) -> Int {
        var count = text.last.map { $0 == 0x0A } ?? true ? 0 : 1
        for index in text.indices where text[index] == 0x0A { count += 1 }
        return count
    }

    /// Returns the end of the line that begins at `offset`, an offset before the text's end.
    static func end(ofLineAt offset: Int, in text: [UInt8]) -> Int {
        var index = offset
        while index < text.count {
            if text[index] == 0x0A { return index + 1 }
            index += 1
        }
        return index
    }

    /// Returns the start of the line that ends at `offset`, an offset behind the text's start.
    static func start(ofLineEndingAt offset: Int, in text: [UInt8]) -> Int {
        var index = offset - 1
        while index > 0, text[index - 1] != 0x0A { index -= 1 }
        return index
    }
}
