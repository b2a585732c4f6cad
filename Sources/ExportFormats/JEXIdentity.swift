// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Identifiers of Joplin, 32 hexadecimal digits, that are the same in every export of the same things.
///
/// A note's and an attachment's are their own bytes. A notebook's and a tag's come from its name, by FNV-1a of 128
/// bits; that is no protection against names made to meet, so whoever gives them out looks whether one is taken.
enum JEXIdentity {
    /// Six bytes that say "note", before its ten.
    static func note(_ id: String) -> String { "6e6f74650000" + Identifier.hexadecimal(id) }

    static func attachment(_ id: String) -> String { Identifier.hexadecimal(id) }

    /// That a note has its n-th tag. No two notes have one in common, and no note has 65,536 tags.
    static func noteTag(_ id: String, place: Int) -> String {
        var text = Array("6e746167".utf8)
        Identifier.appendByte(UInt8(truncatingIfNeeded: place >> 8), &text)
        Identifier.appendByte(UInt8(truncatingIfNeeded: place), &text)
        return String(decoding: text, as: UTF8.self) + Identifier.hexadecimal(id)
    }

    /// - Parameter kind: keeps a notebook and a tag of one name apart.
    static func named(_ name: String, kind: String, taken: inout Set<String>) -> String {
        // FNV-1a with the offset and the prime for 128 bits of Fowler, Noll and Vo.
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for byte in Array(kind.utf8) + [0] + Array(name.utf8) {
            hash ^= UInt128(byte)
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        while true {
            let digits = String(hash, radix: 16)
            let id = String(repeating: "0", count: 32 - digits.utf8.count) + digits
            if taken.insert(id).inserted { return id }
            hash &+= 1
        }
    }
}
