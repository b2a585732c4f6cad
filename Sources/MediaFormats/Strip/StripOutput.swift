// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Collects the stripped picture, and what was left out. Dry, it collects the second only, so that a report is made by
/// the same steps as the picture.
struct StripOutput {
    let isDry: Bool
    private(set) var bytes: [UInt8] = []
    var removed: Set<MetadataKind> = []

    init(isDry: Bool, reserving byteCount: Int) {
        self.isDry = isDry
        if !isDry { bytes.reserveCapacity(byteCount) }
    }

    mutating func append(_ more: ArraySlice<UInt8>) {
        if !isDry { bytes += more }
    }

    mutating func append(_ more: [UInt8]) { append(more[...]) }

    mutating func appendBE32(_ value: Int) { append(Self.be32(value)) }

    mutating func replace(_ bytes: [UInt8]) {
        if !isDry { self.bytes = bytes }
    }

    /// Overwrites bytes that are there already.
    mutating func overwrite(at offset: Int, with more: [UInt8]) {
        guard !isDry, offset >= 0, offset + more.count <= bytes.count else { return }
        bytes.replaceSubrange(offset..<offset + more.count, with: more)
    }

    mutating func zero(_ range: Range<Int>) {
        guard !isDry, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        for at in range { bytes[at] = 0 }
    }

    static func be32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    static func le32(_ value: Int) -> [UInt8] { be32(value).reversed() }
}
