// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import SecretMemory
import Testing

struct PasswordReaderTests {
    /// What is read of a pipe that holds these bytes and then ends.
    private func read(_ bytes: [UInt8]) throws(PasswordReader.Failure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .notReadable }
        defer { close(ends[0]) }
        let written = unsafe bytes.withUnsafeBufferPointer { unsafe write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        guard written == bytes.count else { throw .notReadable }
        return try PasswordReader.read(descriptor: ends[0]).array
    }

    @Test func oneLineFeedAtTheEndIsDropped() throws {
        #expect(try read(Array("pass\n".utf8)) == Array("pass".utf8))
        #expect(try read(Array("pass".utf8)) == Array("pass".utf8))
        #expect(try read(Array("pass\n\n".utf8)) == Array("pass\n".utf8))
        #expect(try read(Array("\npass".utf8)) == Array("\npass".utf8))
        #expect(try read(Array("pass\r\n".utf8)) == Array("pass\r".utf8))
    }

    @Test func B08nulAndEveryOtherByteIsKept() throws {
        let all = (0...255).map { UInt8($0) }
        #expect(try read(all) == all)
        #expect(try read([0]) == [0])
        #expect(try read([0x70, 0, 0x71, 0, 0x0A]) == [0x70, 0, 0x71, 0])
    }

    @Test func B08anEmptyPasswordIsRefused() {
        #expect(throws: PasswordReader.Failure.empty) { try read([]) }
        #expect(throws: PasswordReader.Failure.empty) { try read([0x0A]) }
    }

    @Test func B08theLongestPasswordIsTakenWholeAndALongerOneRefused() throws {
        let longest = (0..<4096).map { UInt8(truncatingIfNeeded: $0) | 1 }
        #expect(try read(longest) == longest)
        #expect(try read(longest + [0x0A]) == longest)
        for more in [[1], [1, 0x0A], [0x0A, 0x0A], [UInt8](repeating: 1, count: 8000)] {
            #expect(throws: PasswordReader.Failure.tooLong) { try read(longest + more) }
        }
    }

    @Test func aDescriptorThatCannotBeReadIsAnError() {
        #expect(throws: PasswordReader.Failure.notReadable) { _ = try PasswordReader.read(descriptor: -1) }
    }

    @Test func piecesAreJoined() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let reader = Task.detached { try PasswordReader.read(descriptor: reading).array }
        for piece in ["cor", "rect", " horse\n"] {
            let bytes = Array(piece.utf8)
            let written = unsafe bytes.withUnsafeBufferPointer { unsafe write(writing, $0.baseAddress, $0.count) }
            #expect(written == bytes.count)
            try await Task.sleep(for: .milliseconds(5))
        }
        close(writing)
        #expect(try await reader.value == Array("correct horse".utf8))
    }
}
