// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `HeifItems` holds the items of a HEIF or AVIF file: what they are, and where their bytes lie.
///
/// Source: ISO/IEC 14496-12 section 8.11.
struct HeifItems {
    struct Extent {
        let item: Int
        /// In bytes from the start of the file.
        let range: Range<Int>
    }

    private(set) var primary: Int?
    private(set) var types: [Int: FourCC] = [:]
    private(set) var extents: [Extent] = []
    /// Bytes that items may have within the list itself.
    private(set) var inlineData: Range<Int>?
    /// Properties of the items, with their boxes' headers.
    private(set) var properties: ByteView?

    private static let known: Set<FourCC> = [
        "hdlr", "pitm", "iinf", "iloc", "iref", "iprp", "idat", "grpl", "dinf", "free", "skip",
    ]

    /// Reads which items the file has and where their bytes lie.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - meta: the content of its "meta" box.
    /// - Throws: `notUnderstood` for all that is not as expected.
    init(_ file: ByteView, meta: ByteView) throws(MediaError) {
        guard meta.be32(0) == 0 else { throw MediaError(.notUnderstood, offset: meta.range.lowerBound) }
        var boxes = BoxList(meta, from: 4)
        var seen: [FourCC: ByteView] = [:]
        while let box = boxes.next() {
            guard Self.known.contains(box.type), seen[box.type] == nil || box.type == "free" || box.type == "skip"
            else {
                throw MediaError(.notUnderstood, offset: box.range.lowerBound)
            }
            seen[box.type] = box.payload
        }
        guard boxes.isAtEnd, let names = seen["iinf"], let places = seen["iloc"] else {
            throw MediaError(.notUnderstood, offset: boxes.offset)
        }
        inlineData = seen["idat"]?.range
        properties = seen["iprp"]
        primary = seen["pitm"].flatMap { $0.number(4, byteCount: $0.u8(0) == 0 ? 2 : 4) }
        try readNames(names)
        try readPlaces(places, file)
    }

    private mutating func readNames(_ view: ByteView) throws(MediaError) {
        var entries = BoxList(view, from: view.u8(0) == 0 ? 6 : 8)
        while let entry = entries.next() {
            let version = entry.payload.u8(0)
            let idByteCount = version == 3 ? 4 : 2
            guard entry.type == "infe", version == 2 || version == 3,
                let id = entry.payload.number(4, byteCount: idByteCount),
                let type = entry.payload.code(6 + idByteCount), types[id] == nil
            else { throw MediaError(.notUnderstood, offset: entry.range.lowerBound) }
            types[id] = type
        }
        guard entries.isAtEnd else { throw MediaError(.notUnderstood, offset: entries.offset) }
    }

    private mutating func readPlaces(_ view: ByteView, _ file: ByteView) throws(MediaError) {
        let failure = MediaError(.notUnderstood, offset: view.range.lowerBound)
        guard let version = view.u8(0), version <= 2, let sizes = view.be16(4) else { throw failure }
        var reader = LocationReader(view: view, version: version, sizes: sizes)
        guard reader.isUsual, let count = reader.number(version < 2 ? 2 : 4) else { throw failure }
        var seen: Set<Int> = []
        for _ in 0..<count {
            guard let item = reader.nextItem(), types[item.id] != nil, seen.insert(item.id).inserted else {
                throw failure
            }
            for _ in 0..<item.extentCount {
                guard let extent = reader.nextExtent(of: item) else { throw failure }
                guard let range = place(of: extent, in: item, file) else { throw failure }
                extents.append(Extent(item: item.id, range: range))
            }
        }
        guard reader.at == view.count else { throw failure }
    }

    /// Returns where an extent lies in the file. Method 0 counts from the start of the file, method 1 from that of the
    /// inline data.
    private func place(of extent: Range<Int>, in item: LocationReader.Item, _ file: ByteView) -> Range<Int>? {
        let area: Range<Int>? = item.method == 0 ? file.range : item.method == 1 ? inlineData : nil
        guard let area, extent.upperBound <= area.count else { return nil }
        return area.lowerBound + extent.lowerBound..<area.lowerBound + extent.upperBound
    }
}

/// `LocationReader` reads the box that says where the items of a HEIF file lie, in its three versions and any width of
/// numbers.
private struct LocationReader {
    struct Item {
        let id: Int
        let method: Int
        let base: Int
        let extentCount: Int
    }

    private let view: ByteView
    private let version: Int
    private let offsetByteCount: Int
    private let lengthByteCount: Int
    private let baseByteCount: Int
    private let indexByteCount: Int
    private(set) var at = 6

    /// Prepares to read the box; `sizes` says how wide its numbers are.
    ///
    /// - Parameter sizes: four widths of four bits.
    init(view: ByteView, version: Int, sizes: Int) {
        self.view = view
        self.version = version
        offsetByteCount = sizes >> 12
        lengthByteCount = (sizes >> 8) & 15
        baseByteCount = (sizes >> 4) & 15
        indexByteCount = version == 0 ? 0 : sizes & 15
    }

    /// Lengths of no bytes would mean "all of the file", and let a short box name any number of extents.
    var isUsual: Bool {
        lengthByteCount > 0
            && [offsetByteCount, lengthByteCount, baseByteCount, indexByteCount].allSatisfy { [0, 4, 8].contains($0) }
    }

    mutating func number(_ byteCount: Int) -> Int? {
        guard let value = view.number(at, byteCount: byteCount) else { return nil }
        at += byteCount
        return value
    }

    /// Reads the head of the next item; nil if it is cut short, and for an item that lies in another file.
    mutating func nextItem() -> Item? {
        guard let id = number(version < 2 ? 2 : 4), let method = version == 0 ? 0 : number(2),
            let reference = number(2), reference == 0,
            let base = number(baseByteCount), let extentCount = number(2)
        else { return nil }
        return Item(id: id, method: method & 15, base: base, extentCount: extentCount)
    }

    /// Reads the next extent of an item; nil if it is cut short or out of range, and for a length of 0, which means
    /// "all of the file".
    mutating func nextExtent(of item: Item) -> Range<Int>? {
        guard number(indexByteCount) != nil, let offset = number(offsetByteCount),
            let byteCount = number(lengthByteCount), byteCount > 0
        else {
            return nil
        }
        let (start, isTooFar) = item.base.addingReportingOverflow(offset)
        let (end, isTooLong) = start.addingReportingOverflow(byteCount)
        return isTooFar || isTooLong ? nil : start..<end
    }
}
