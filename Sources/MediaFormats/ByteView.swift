// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ByteView` is a part of untrusted bytes, read at any offset: outside of the part there is nothing, and so nothing
/// traps.
///
/// Offsets are relative to the part's first byte. Copies share the bytes.
struct ByteView {
    let bytes: [UInt8]
    /// Where the part lies in `bytes`.
    let range: Range<Int>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        range = 0..<bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    var count: Int { range.count }
    var slice: ArraySlice<UInt8> { bytes[range] }

    /// Returns a part of this view, or nil if the part would not lie within it.
    func view(_ offset: Int, _ count: Int) -> ByteView? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        let start = range.lowerBound + offset
        return ByteView(bytes, start..<start + count)
    }

    /// Gives what stands from an offset to the end.
    func from(_ offset: Int) -> ByteView? { view(offset, count - offset) }

    func u8(_ at: Int) -> Int? {
        guard at >= 0, at < count else { return nil }
        return Int(bytes[range.lowerBound + at])
    }

    /// Returns an unsigned number, or nil if its bytes are not within the view or `Int` does not hold it: as an offset
    /// or length it is past every end.
    ///
    /// - Parameter byteCount: 0 (the number is 0 then) to 8.
    func number(_ at: Int, byteCount: Int, isBigEndian: Bool = true) -> Int? {
        guard let part = view(at, byteCount) else { return nil }
        var value: UInt64 = 0
        for index in 0..<byteCount {
            let from = isBigEndian ? index : byteCount - 1 - index
            value = value << 8 | UInt64(bytes[part.range.lowerBound + from])
        }
        return Int(exactly: value)
    }

    func be16(_ at: Int) -> Int? { number(at, byteCount: 2) }
    func be32(_ at: Int) -> Int? { number(at, byteCount: 4) }
    func le16(_ at: Int) -> Int? { number(at, byteCount: 2, isBigEndian: false) }
    func le24(_ at: Int) -> Int? { number(at, byteCount: 3, isBigEndian: false) }
    func le32(_ at: Int) -> Int? { number(at, byteCount: 4, isBigEndian: false) }

    func code(_ at: Int) -> FourCC? { be32(at).map { FourCC(UInt32(truncatingIfNeeded: $0)) } }

    /// Returns whether these bytes stand at an offset.
    func has(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
        guard let part = view(offset, wanted.count) else { return false }
        return part.slice.elementsEqual(wanted)
    }

    /// Returns whether the ASCII text stands at an offset.
    func has(_ text: String, at offset: Int = 0) -> Bool {
        guard let part = view(offset, text.utf8.count) else { return false }
        return part.slice.elementsEqual(text.utf8)
    }

    var isAllZero: Bool { slice.allSatisfy { $0 == 0 } }
}

/// `FourCC` holds four characters that name a chunk or box.
struct FourCC: Hashable, ExpressibleByStringLiteral {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    /// Takes literals of four ASCII characters only.
    init(stringLiteral text: String) {
        value = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}
