// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing

@testable import VaultClient

struct TextInputTests {
    private func refusal(_ bytes: [UInt8]) -> Outcome? {
        do throws(ClientFailure) {
            _ = try TextInput.checked(bytes)
            return nil
        } catch {
            return error.outcome
        }
    }

    @Test func textIsKeptByteForByte() throws {
        let text = "Zeile\r\n\tZwei\0 \u{1B}[31m 漢字 \u{FEFF}\n\n"
        #expect(Array(try TextInput.checked(Array(text.utf8)).utf8) == Array(text.utf8))
    }

    @Test(arguments: [[], [0x20], [0x0A, 0x0D, 0x09]] as [[UInt8]])
    func emptyTextIsNothingToSave(_ bytes: [UInt8]) {
        #expect(refusal(bytes)?.code == .usage)
        #expect(refusal(bytes)?.message.contains("nothing to save") == true)
    }

    @Test func sixteenMebibytesAreTakenAndOneMoreByteIsNot() {
        var bytes = [UInt8](repeating: 0x61, count: Frame.noteByteCountMax)
        #expect(refusal(bytes) == nil)
        bytes.append(0x61)
        #expect(refusal(bytes)?.code == .usage)
    }

    @Test(
        arguments: [
            ([0x61, 0xE9], 1), ([0xFF], 0), ([0xC3], 0), ([0x61, 0x62, 0xC0, 0x80], 2), ([0xED, 0xA0, 0x80], 0),
            ([0xE2, 0x82], 0),
            ([0xF0, 0x9F, 0x98, 0x80, 0x80], 4), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
            ([0xC3, 0xA9, 0xC3, 0x28], 2),
        ] as [([UInt8], Int)])
    func theFirstBadByteIsNamed(_ bytes: [UInt8], _ offset: Int) {
        #expect(TextInput.firstInvalidOffset(bytes) == offset)
        #expect(refusal(bytes)?.code == .usage)
        #expect(refusal(bytes)?.message.contains("byte \(offset)") == true)
    }

    @Test func wellFormedTextHasNoBadByte() {
        #expect(TextInput.firstInvalidOffset(Array("a é € 😀 \u{10FFFF}".utf8)) == nil)
        #expect(TextInput.firstInvalidOffset([]) == nil)
    }
}
