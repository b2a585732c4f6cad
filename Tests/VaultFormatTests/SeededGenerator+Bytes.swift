// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultTesting

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
