// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Names in a zip archive, from as much of its beginning and its end as is there: members at the beginning, and the
/// list of them at the end.
enum ZipNames {
    /// More names than these are not looked at.
    static let countMax = 4096

    static func isZip(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
    }

    static func names(head: [UInt8], tail: [UInt8]) -> [[UInt8]] {
        collect(head, signature: [0x50, 0x4B, 3, 4], lengthAt: 26, nameAt: 30)
            + collect(tail, signature: [0x50, 0x4B, 1, 2], lengthAt: 28, nameAt: 46)
    }

    private static func collect(_ bytes: [UInt8], signature: [UInt8], lengthAt: Int, nameAt: Int) -> [[UInt8]] {
        var names: [[UInt8]] = []
        var at = 0
        while names.count < countMax, at + nameAt <= bytes.count {
            guard let next = bytes[at...(bytes.count - nameAt)].firstIndex(of: signature[0]) else { break }
            at = next + 1
            guard bytes[next..<next + 4].elementsEqual(signature) else { continue }
            let count = Int(bytes[next + lengthAt]) | Int(bytes[next + lengthAt + 1]) << 8
            guard (1...4096).contains(count), next + nameAt + count <= bytes.count else { continue }
            names.append(Array(bytes[next + nameAt..<next + nameAt + count]))
            at = next + nameAt + count
        }
        return names
    }
}
