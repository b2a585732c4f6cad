// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultTesting

struct LabelTests {
    @Test func C04everyLabelIsUniqueAndDerivesAnotherKey() throws {
        let vaultKey = try SymmetricKey(repeating: 7)
        var keys: Set<[UInt8]> = [vaultKey.array]
        for label in Label.allCases {
            #expect(keys.insert(try vaultKey.subkey(label).array).inserted, "\(label)")
        }
        #expect(keys.count == Label.allCases.count + 1)
        #expect(Set(Label.allCases.map(\.rawValue)).count == Label.allCases.count)
    }

    /// HKDF's info ends where the label ends: a label that begins another is still another, but nobody should have to
    /// think about it.
    @Test func C04noLabelBeginsAnother() {
        for one in Label.allCases {
            for other in Label.allCases where one != other { #expect(!other.rawValue.hasPrefix(one.rawValue)) }
            #expect(one.rawValue.hasPrefix("vault/v1 "))
        }
    }

    /// Worked subkeys of docs/format.md §3, first bytes.
    @Test(
        arguments: [
            (Label.headerMAC, [0xB2, 0x7B, 0x80, 0x83]), (.manifest, [0xE4, 0x7A, 0xAB, 0x95]),
            (.indexPage, [0x55, 0x84, 0x13, 0x19]),
            (.indexLog, [0x08, 0x02, 0x40, 0x8C]), (.record, [0xAF, 0x3A, 0x22, 0x26]),
            (.attachment, [0x4D, 0xDA, 0xFA, 0xB8]),
            (.export, [0x2B, 0xF4, 0x0D, 0x56]), (.sync, [0xC3, 0x4E, 0x60, 0x35]),
            (.remoteNames, [0x02, 0xE2, 0x65, 0x09]),
        ] as [(Label, [UInt8])])
    func subkeysAreThoseOfTheSpecification(label: Label, begin: [UInt8]) throws {
        let vaultKey = try SymmetricKey(array: (0..<32).map { UInt8($0) })
        #expect(Array(try vaultKey.subkey(label).array.prefix(4)) == begin)
    }

    /// A label that is written anywhere but in Label.swift could give two uses one key unseen.
    @Test func C04labelsAreWrittenInOnePlace() throws {
        let places = try ["VaultCrypto", "VaultCore", "SealedSQLite", "VaultAgent"].flatMap { module in
            try Repository.sources(module).filter { name, text in
                name != "Label.swift" && Label.allCases.contains { text.contains("\"\($0.rawValue)\"") }
            }.keys
        }
        #expect(places == [])
    }
}
