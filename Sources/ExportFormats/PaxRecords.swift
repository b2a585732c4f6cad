// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a tar header has no room for: long or non-ASCII paths, large sizes, times before 1970.
///
/// A record is its own length in decimal digits, a blank, key, "=", value and LF. Source: POSIX.1-2017, pax, "pax
/// Header Block".
struct PaxRecords {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ key: String, _ value: some Collection<UInt8>) {
        let rest = key.utf8.count + value.count + 3
        var total = rest + 1
        // The length counts its own digits, which may make it longer.
        while total < rest + String(total).utf8.count { total += 1 }
        bytes += String(total).utf8
        bytes.append(UInt8(ascii: " "))
        bytes += key.utf8
        bytes.append(UInt8(ascii: "="))
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func add(_ key: String, _ number: some BinaryInteger) { add(key, Array(String(number).utf8)) }
}
