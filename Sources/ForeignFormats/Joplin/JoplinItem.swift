// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JoplinItem` is one item of Joplin's RAW format: a title, a blank line, a body, a blank line and lines of "key:
/// value".
///
/// The tail begins after the last blank line: a body may hold lines that look like properties.
/// Source: joplin `packages/lib/models/BaseItem.ts`, `serialize` and `unserialize`.
struct JoplinItem {
    enum Kind: Int {
        case note = 1
        case folder = 2
        case resource = 4
        case tag = 5
        case noteTag = 6
        case masterKey = 9
        case revision = 13
    }

    private static let propertyCountMax = 128
    private static let propertyByteCountMax = 64 << 10

    let title: String
    let body: ArraySlice<UInt8>
    private let properties: [String: String]

    /// Reads an item.
    ///
    /// - Parameter bytes: UTF-8 with LF at the ends of lines.
    /// - Returns: nil if there is no tail with a type.
    init?(_ bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        var end = bytes.count
        while end > 0, Self.isBlank(bytes[end - 1]) { end -= 1 }
        var properties: [String: String] = [:]
        var head = 0
        while end > 0 {
            let start = (bytes[..<end].lastIndex(of: newline) ?? -1) + 1
            let line = bytes[start..<end]
            if line.allSatisfy(Self.isBlank) {
                head = start
                break
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                line.count <= Self.propertyByteCountMax || colon - start < 64,
                properties.count < Self.propertyCountMax
            else { return nil }
            let key = Self.trimmed(line[..<colon])
            // Ciphertext is as long as it likes and never read.
            if line.count <= Self.propertyByteCountMax { properties[key] = Self.trimmed(line[(colon + 1)...]) }
            end = max(0, start - 1)
        }
        guard properties["type_"] != nil else { return nil }
        self.properties = properties
        let titleEnd = bytes[..<head].firstIndex(of: newline) ?? head
        title = String(decoding: bytes[..<titleEnd], as: UTF8.self)
        // The line after the title is empty, and so is the one before the tail.
        let bodyStart = min(titleEnd + 2, head)
        let bodyEnd = head > bodyStart && bytes[head - 1] == newline ? head - 1 : head
        body = bytes[bodyStart..<max(bodyStart, bodyEnd)]
    }

    var kind: Kind? { self["type_"].flatMap { Int($0) }.flatMap { Kind(rawValue: $0) } }
    var id: ForeignID? { self["id"].flatMap { ForeignID($0) } }
    var isEncrypted: Bool { self["encryption_applied"] == "1" }

    /// Returns the value of a property; nil where nothing stands. Joplin writes line ends in a value as "\n" and "\r".
    subscript(key: String) -> String? {
        guard let value = properties[key], !value.isEmpty else { return nil }
        return value
    }

    func identifier(_ key: String) -> ForeignID? { self[key].flatMap { ForeignID($0) } }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 || byte == 10 || byte == 13 }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}

/// `ForeignID` holds the 128 bits that another program calls an item by: 32 hexadecimal digits.
struct ForeignID: Hashable {
    static let digitCount = 32
    private let high: UInt64
    private let low: UInt64

    init?(_ digits: some Collection<UInt8>) {
        guard digits.count == Self.digitCount, digits.allSatisfy(MarkdownLinks.isHexadecimal) else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        guard let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else {
            return nil
        }
        self.high = high
        self.low = low
    }

    init?(_ text: String) { self.init(Array(text.utf8.prefix(Self.digitCount + 1))) }

    /// The identifier's digits, in lower case.
    var text: String { Self.padded(high) + Self.padded(low) }

    private static func padded(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
