// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

/// Letters of a pairing code, as people type them. Their values are in Vectors/pairing.json.
struct PairingTextTests {
    private let groups = PairingText.groups(of: Samples.pairing)

    private func slip(_ groups: [String]) -> PairingText.Slip? {
        do throws(PairingText.Slip) {
            _ = try PairingText.parse(Array(groups.joined(separator: " ").utf8))
            return nil
        } catch { return error }
    }

    @Test func whatIsShownIsReadBack() throws {
        #expect(groups.dropLast().allSatisfy { $0.utf8.count == 8 } && (2...8).contains(groups.last?.utf8.count ?? 0))
        #expect(try PairingText.parse(Array(groups.joined(separator: "-").utf8)) == Samples.pairing)
        #expect(try PairingText.parse(Array(groups.joined().uppercased().utf8)) == Samples.pairing)
    }

    /// One wrong letter anywhere, and any two neighbours that changed places, are named by their group.
    @Test func everySlipOfOneLetterIsNamedByItsGroup() {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        for (index, group) in groups.enumerated() {
            let old = Array(group)
            for at in old.indices {
                for letter in letters where letter != old[at] {
                    var new = old
                    new[at] = letter
                    var typed = groups
                    typed[index] = String(new)
                    #expect(slip(typed) == .group(number: index + 1, text: String(new)))
                }
                guard at + 1 < old.count, old[at] != old[at + 1] else { continue }
                var new = old
                new.swapAt(at, at + 1)
                var typed = groups
                typed[index] = String(new)
                #expect(slip(typed) == .group(number: index + 1, text: String(new)))
            }
        }
    }

    @Test func groupsThatAreMissingOrChangedPlacesAreMissed() {
        for index in groups.indices.dropLast() {
            var fewer = groups
            fewer.remove(at: index)
            #expect(slip(fewer) != nil)
            var moved = groups
            moved.swapAt(index, index + 1)
            #expect(slip(moved) != nil || moved == groups)
        }
        #expect(slip(groups.dropLast()) == .incomplete)
        #expect(slip(groups + groups) != nil)
        #expect(slip([]) == .empty)
    }

    @Test func aHeaderIsJudgedByItsCounterAndItsHash() {
        let code = Samples.pairing
        let same = [UInt8](0x20...0x3F)
        #expect(code.verdict(counter: 3, digest: same) == .asNew)
        #expect(code.verdict(counter: 3, digest: [0] + same.dropFirst()) == .other)
        #expect(code.verdict(counter: 2, digest: same) == .older)
        #expect(code.verdict(counter: 4, digest: [UInt8](repeating: 0, count: 32)) == .asNew)
    }
}
