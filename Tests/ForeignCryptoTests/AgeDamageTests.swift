// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import Testing

/// Files that someone cut, extended or altered.
struct AgeDamageTests {
    /// What is given out before the end is noticed is the true beginning, in whole chunks.
    @Test func everyCutIsNoticedAndOnlyWholeChunksCameOut() throws {
        let identity = try Age.identity()
        let content = Age.content(65_536 * 2 + 10)
        let file = try Age.sealed(content, to: [identity.recipient])
        let header = file.count - (content.count + 3 * 16)
        let places =
            Array(0..<header + 40) + [
                header + 65_551, header + 65_552, header + 65_553, header + 131_104, header + 131_110, file.count - 1,
            ]
        for place in places {
            let opened = try Age.opened(Array(file[..<place]), identities: [identity])
            #expect(opened.error?.code == .damaged, "cut at \(place)")
            #expect([0, 65_536, 131_072].contains(opened.content.count))
            #expect(opened.content == Array(content[..<opened.content.count]))
        }
    }

    @Test func everyAlteredBitOfAHeaderIsNoticed() throws {
        let identity = try Age.identity()
        let file = try Age.sealed([7], to: [identity.recipient])
        for place in file.indices {
            for bit in [0, 3, 5, 7] {
                var altered = file
                altered[place] ^= 1 << bit
                let opened = try Age.opened(altered, identities: [identity])
                #expect(opened.error != nil, "bit \(bit) of byte \(place)")
                #expect(opened.content.isEmpty)
            }
        }
    }

    @Test func chunksThatChangedPlacesAreNoticed() throws {
        let identity = try Age.identity()
        let content = Age.content(65_536 * 3)
        let file = try Age.sealed(content, to: [identity.recipient])
        let begin = file.count - 3 * 65_552
        let swapped =
            file[..<begin] + file[(begin + 65_552)..<(begin + 131_104)] + file[begin..<(begin + 65_552)]
            + file[(begin + 131_104)...]
        let opened = try Age.opened(Array(swapped), identities: [identity])
        #expect(opened.error == AgeError(.damaged, in: .payload))
        #expect(opened.content.isEmpty)
        let left = file[..<begin] + file[(begin + 65_552)...]
        #expect(try Age.opened(Array(left), identities: [identity]).content.isEmpty)
    }

    @Test(arguments: [1, 16, 65_552])
    func whatFollowsTheEndIsNoticed(count: Int) throws {
        let identity = try Age.identity()
        for size in [0, 10, 65_536] {
            let file = try Age.sealed(Age.content(size), to: [identity.recipient])
            let opened = try Age.opened(file + [UInt8](repeating: 0, count: count), identities: [identity])
            #expect(opened.error == AgeError(.damaged, in: .payload))
        }
    }

    /// CCTV's armor_garbage_encoded, in our own armor.
    @Test func armorAroundAFileWithSomethingAfterItIsNoticed() throws {
        let vector = try #require(AgeVector.all.first { $0.name.hasPrefix("stream_trailing_garbage_long") })
        let opened = try Age.opened(armored(vector.file, lineEnd: "\n"), identities: [Age.identity()])
        #expect(opened.error == AgeError(.damaged, in: .payload))
        #expect(opened.content == [UInt8](repeating: 0, count: 65_536))
    }

    @Test func linesOfArmorEndAlike() throws {
        let identity = try Age.identity()
        let file = try Age.sealed(Age.content(200), to: [identity.recipient])
        let text = armored(file, lineEnd: "\r\n")
        #expect(try Age.opened(text, identities: [identity]).error == nil)
        let returns = text.indices.filter { text[$0] == 13 }
        for place in returns.dropFirst().dropLast() {
            var mixed = text
            mixed.remove(at: place)
            #expect(try Age.opened(mixed, identities: [identity]).error == AgeError(.damaged, in: .armor))
        }
    }

    @Test func whiteSpaceAroundArmorHasALimit() throws {
        let identity = try Age.identity()
        let text = armored(try Age.sealed([1], to: [identity.recipient]), lineEnd: "\n")
        let space = [UInt8](repeating: 32, count: 1024)
        #expect(try Age.opened(space + text + space.dropLast(), identities: [identity]).content == [1])
        #expect(try Age.opened(space + [32] + text, identities: [identity]).error == AgeError(.damaged, in: .armor))
        #expect(
            try Age.opened(text + space + [32, 32], identities: [identity]).error == AgeError(.damaged, in: .armor))
    }

    private func armored(_ file: [UInt8], lineEnd: String) -> [UInt8] {
        var lines = ["-----BEGIN AGE ENCRYPTED FILE-----"]
        for begin in stride(from: 0, to: file.count, by: 48) {
            lines.append(base64(Array(file[begin..<min(begin + 48, file.count)])))
        }
        lines.append("-----END AGE ENCRYPTED FILE-----")
        return Array((lines.joined(separator: lineEnd) + lineEnd).utf8)
    }
}
