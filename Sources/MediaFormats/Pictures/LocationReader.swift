// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Reads the box that says where the items of a HEIF file lie, in its three versions and any width of numbers.
struct LocationReader {
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

    /// - Returns: nil also for an item that lies in another file.
    mutating func nextItem() -> Item? {
        guard let id = number(version < 2 ? 2 : 4), let method = version == 0 ? 0 : number(2),
            let reference = number(2), reference == 0,
            let base = number(baseByteCount), let extentCount = number(2)
        else { return nil }
        return Item(id: id, method: method & 15, base: base, extentCount: extentCount)
    }

    /// - Returns: nil also for a length of 0, which means "all of the file".
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
