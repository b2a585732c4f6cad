// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol

/// Records as a client sends them, and the same with mistakes.
enum Samples {
    static let key = "mbqw-ey3e-mvtg-o2dj-njvw-y3lo-n5yh-c4tt-6h2b"
    static let vaultID = [UInt8](0xA0...0xAF)
    /// Every letter that there is, the largest number of groups.
    static let longestKey = "abcd-efgh-ijkl-mnop-qrst-uvwx-yz23-4567" + String(repeating: "-zs52", count: 17)

    /// A record without its frame, of parts that need not be right.
    static func content(
        vaultID: [UInt8] = vaultID, date: String = "2026-11-21", name: [UInt8] = Array("Notes".utf8),
        key: [UInt8] = Array(key.utf8)
    ) -> [UInt8] {
        vaultID + Array(date.utf8) + length(name.count) + name + length(key.count) + key
    }

    static func record(name: String = "Notes", key: String = key) throws -> RecoveryPageRecord {
        try RecoveryPageRecord(parsing: content(name: Array(name.utf8), key: Array(key.utf8)))
    }

    static func length(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }
}
