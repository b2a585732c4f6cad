// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// `AttachOptions` holds what `attach add` is told.
public struct AttachOptions: Sendable, Equatable {
    public var note: String
    /// Paths; "-" is standard input.
    public var files: [String]
    public var caption: String?
    /// For standard input, which has no name.
    public var name: String?
    /// Whether place, serial numbers and the like stay in photos.
    public var keepsMetadata = false

    public init(note: String = "", files: [String] = []) {
        self.note = note
        self.files = files
    }
}

/// `RangeText` is a part of a content, as it is typed: `OFFSET:COUNT` or `OFFSET:` for all the rest; in bytes, or with
/// k, M or G behind.
enum RangeText {
    static func parse(_ text: String) -> ByteRange? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let offset = bytes(parts[0]) else { return nil }
        guard !parts[1].isEmpty else { return ByteRange(offset: offset, count: UInt64.max - offset) }
        guard let count = bytes(parts[1]), !offset.addingReportingOverflow(count).overflow else { return nil }
        return ByteRange(offset: offset, count: count)
    }

    private static func bytes(_ text: Substring) -> UInt64? {
        let units: [Character: UInt64] = ["k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text : text.dropLast()
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt64(digits) else {
            return nil
        }
        let (product, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
        return overflows ? nil : product
    }
}
