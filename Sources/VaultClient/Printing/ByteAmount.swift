// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// "512 B", "1.2 kB", "3.4 MB": powers of 1000, one digit after the point, never rounded up.
enum ByteAmount {
    static func text(_ byteCount: UInt64) -> String {
        guard byteCount >= 1000 else { return "\(byteCount) B" }
        var tenths = byteCount / 100
        var units = ["kB", "MB", "GB", "TB"][...]
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units = units.dropFirst()
        }
        return "\(tenths / 10).\(tenths % 10) \(units.first ?? "B")"
    }
}
