// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import Testing

struct SecretBytesTests {
    @Test func aNewSecretIsZeros() {
        let secret = SecretBytes(zeroes: 5000)
        #expect(secret.byteCount == 5000)
        #expect(secret.array == [UInt8](repeating: 0, count: 5000))
    }

    @Test func anEmptySecretIsLegal() {
        let secret = SecretBytes(zeroes: 0)
        #expect(secret.byteCount == 0 && secret.array.isEmpty)
        let isSame = secret.matches(secret.duplicate())
        #expect(isSame)
        #expect(secret.prefix(0).byteCount == 0)
    }

    @Test func aDuplicateHoldsTheSameBytesOnPagesOfItsOwn() {
        let one = SecretBytes(array: [1, 2, 3])
        var two = one.duplicate()
        #expect(one.address != two.address)
        unsafe two.withUnsafeMutableBytes { unsafe $0[0] = 9 }
        #expect(one.array == [1, 2, 3] && two.array == [9, 2, 3])
    }

    @Test func aPrefixHoldsTheFirstBytes() {
        let secret = SecretBytes(array: Array(0..<200))
        for count in [0, 1, 199, 200] { #expect(secret.prefix(count).array == Array(0..<UInt8(count))) }
    }

    @Test func secretsMatchWhenAllBytesAreEqualAndOnlyThen() {
        let bytes = [UInt8](repeating: 7, count: 100)
        func matches(_ other: [UInt8]) -> Bool { SecretBytes(array: bytes).matches(SecretBytes(array: other)) }
        #expect(matches(bytes))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(!matches(other))
        }
        #expect(!matches(Array(bytes.dropLast())))
        #expect(!matches(bytes + [0]))
    }

    @Test func aFillerThatThrowsMakesNoSecret() {
        struct Stop: Error {}
        #expect(throws: Stop.self) { _ = try unsafe SecretBytes(byteCount: 4) { _ throws(Stop) in throw Stop() } }
    }

    @Test func bytesOfAnotherOwnerAreCopied() {
        let source: [UInt8] = [4, 5, 6]
        let secret = unsafe source.withUnsafeBufferPointer {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer($0)).array
        }
        #expect(secret == source)
    }
}

extension SecretBytes {
    init(array: [UInt8]) { unsafe self.init(byteCount: array.count) { target in unsafe target.copyBytes(from: array) } }
    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
    var address: UInt { unsafe withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
}
