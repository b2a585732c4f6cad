// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// `FoldEngine` does one pass of folding: the state that outlives a scalar is what was written last.
struct FoldEngine {
    /// What is written, then zeros: room that is paid for once, not byte by byte.
    private(set) var buffer: [UInt8]
    private(set) var count = 0
    /// For each folded byte inside the window, the offset of the scalar that it came from.
    private(set) var origins: [Int] = []
    let window: Range<Int>
    private(set) var endsInSpace = false
    /// Combining class of the last scalar written; 0 for a base.
    private var lastClass: UInt8 = 0
    private var page = FoldTable.page(0)
    private var pageNumber: UInt32 = 0

    /// Prepares a pass that is expected to write `byteCount` bytes.
    ///
    /// - Parameter window: the folded bytes whose origin is kept; none when nil.
    init(expecting byteCount: Int, window: Range<Int>?) {
        self.window = window ?? 0..<0
        buffer = [UInt8](repeating: 0, count: byteCount + 64)
    }

    consuming func finish() -> (bytes: [UInt8], origins: [Int]) {
        buffer.removeLast(buffer.count - count)
        return (buffer, origins)
    }

    mutating func run(_ text: Span<UInt8>) {
        var offset = 0
        while offset < text.count {
            if text[offset] < 0x80 {
                offset = runASCII(text, from: offset)
            } else {
                let (scalar, byteCount) = UTF8Decoding.scalar(in: text, at: offset)
                put(scalar.value, from: offset)
                offset += byteCount
            }
        }
    }

    private mutating func put(_ value: UInt32, from origin: Int) {
        switch value {
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, FoldTable.end...:
            // Han and all that lies beyond the table folds to itself.
            for byte in UTF8.encode(Unicode.Scalar(value) ?? UTF8Decoding.replacement)! {
                put(byte: byte, from: origin)
            }
        case 0xAC00...0xD7A3:
            putHangul(value - 0xAC00, from: origin)
        default:
            if value >> 8 != pageNumber {
                pageNumber = value >> 8
                page = FoldTable.page(pageNumber)
            }
            put(page.entries[Int(value & 0xFF)], from: origin)
        }
    }

    private mutating func put(_ entry: FoldEntry, from origin: Int) {
        let byteCount = entry.byteCount
        if byteCount == 0 { return }
        if entry.isSpace { return putSpace(from: origin) }
        let firstClass = entry.firstClass
        let place = firstClass != 0 && firstClass < lastClass ? placeEarlier(of: firstClass) : count
        let end = count + byteCount
        for index in 0..<byteCount { put(byte: entry[index], from: origin) }
        if place < end - byteCount {
            buffer.replaceSubrange(
                place..<end, with: buffer[(end - byteCount)..<end] + buffer[place..<(end - byteCount)])
        }
        lastClass = max(place < end - byteCount ? 9 : 0, entry.lastClass)
    }

    @inline(__always)
    mutating func put(byte: UInt8, from origin: Int) {
        if count < window.upperBound, count >= window.lowerBound { origins.append(origin) }
        if count == buffer.count { makeRoom(1) }
        buffer[count] = byte
        count &+= 1
        endsInSpace = false
        lastClass = 0
    }

    private mutating func putSpace(from origin: Int) {
        if !endsInSpace { put(byte: 0x20, from: origin) }
        endsInSpace = true
        lastClass = 0
    }

    /// Composes by Unicode, chapter 3.12: syllable = ((lead × 21) + vowel) × 28 + tail.
    private mutating func putHangul(_ index: UInt32, from origin: Int) {
        putJamo(0x1100 + index / 588, from: origin)
        putJamo(0x1161 + index % 588 / 28, from: origin)
        if index % 28 != 0 { putJamo(0x11A7 + index % 28, from: origin) }
    }

    private mutating func putJamo(_ value: UInt32, from origin: Int) {
        put(byte: 0xE1, from: origin)
        put(byte: UInt8(truncatingIfNeeded: 0x80 | (value >> 6 & 0x3F)), from: origin)
        put(byte: UInt8(truncatingIfNeeded: 0x80 | (value & 0x3F)), from: origin)
    }

    /// Finds where a kept mark goes: before the marks of a higher class that precede it. That is canonical order, which
    /// composed text may leave.
    ///
    /// It looks back over 32 scalars at most: longer runs are no text (UAX #15 stops at 30), and a limit keeps the time
    /// linear.
    private func placeEarlier(of markClass: UInt8) -> Int {
        var place = count
        for _ in 0..<32 where place > 0 {
            let (scalar, start) = UTF8Decoding.scalar(in: buffer.span, before: place)
            guard FoldTable.combiningClass(scalar) > markClass else { break }
            place = start
        }
        return place
    }

    @inline(never)
    private mutating func makeRoom(_ byteCount: Int) {
        buffer.append(contentsOf: repeatElement(0, count: max(byteCount, buffer.count / 2)))
    }

    /// Writes a block of bytes below 128 that holds no two spaces in a row, at the length it has.
    private mutating func putBlock(_ block: Span<UInt8>) {
        if buffer.count &- count < block.count { makeRoom(block.count) }
        let base = count
        var all = buffer.mutableSpan
        for index in 0..<block.count { all[base &+ index] = ASCIIFold.byte(block[index]) }
        count += block.count
        endsInSpace = buffer[count - 1] == 0x20
        lastClass = 0
    }
}

extension FoldEngine {
    private static var blockByteCount: Int { 32 }

    /// Runs the fast path for bytes below 128: blocks where it can, bytes at the end, in short runs and where origins
    /// are kept.
    ///
    /// - Returns: the offset of the first byte that it left.
    private mutating func runASCII(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset < text.count {
            // A look eight bytes ahead spares other scripts the trial of a block between two words.
            if text.count - offset >= Self.blockByteCount, text[offset + 8] < 0x80, mayWriteBlock {
                let block = text.extracting(offset..<(offset + Self.blockByteCount))
                let plain = ASCIIFold.plainCount(block, afterSpace: endsInSpace)
                if plain > 0 { putBlock(block.extracting(0..<plain)) }
                offset += plain
                if plain == Self.blockByteCount { continue }
            }
            let byte = text[offset]
            guard byte < 0x80 else { break }
            if ASCIIFold.isSpace(byte) { putSpace(from: offset) } else { put(byte: ASCIIFold.byte(byte), from: offset) }
            offset += 1
        }
        return offset
    }

    /// Blocks keep no origins, so they end before the window and begin again behind it.
    private var mayWriteBlock: Bool { count + Self.blockByteCount <= window.lowerBound || count >= window.upperBound }
}

/// `ASCIIFold` knows the fold of single bytes below 128, written so that loops over it become vector code.
private enum ASCIIFold {
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 9 < 5 }

    @inline(__always)
    static func byte(_ byte: UInt8) -> UInt8 { isSpace(byte) ? 0x20 : byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Returns how many bytes at the start of a block fold to as many: all are below 128, and no two neighbours are
    /// white space.
    @inline(__always)
    static func plainCount(_ block: Span<UInt8>, afterSpace: Bool) -> Int {
        var odd: UInt8 = 0
        for index in 0..<block.count { odd |= block[index] & 0x80 }
        for index in 1..<block.count { odd |= (isSpace(block[index]) ? 1 : 0) & (isSpace(block[index - 1]) ? 1 : 0) }
        if odd == 0, !(afterSpace && isSpace(block[0])) { return block.count }
        var wasSpace = afterSpace
        for index in 0..<block.count {
            let isSpace = isSpace(block[index])
            if block[index] >= 0x80 || isSpace && wasSpace { return index }
            wasSpace = isSpace
        }
        return block.count
    }
}
