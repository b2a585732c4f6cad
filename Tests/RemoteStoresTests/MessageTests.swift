// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncProtocol
import Testing
import VaultFormat
import VaultTesting

/// The packets, both ways: one encoding for each value, and no byte that traps.
struct MessageTests {
    private static func requests() throws -> [SyncRequest] {
        var order = StartOrder(
            vault: StoreWorld.vault, settings: .webDAV(try #require(RemoteAddress("https://a.org/b"))))
        order.certificates = [1, 2, 3]
        order.createsVaultFolder = true
        let endpoint = try #require(RemoteAddress("http://127.0.0.1:9000"))
        let bucket = try #require(S3Bucket(endpoint: endpoint, region: "r", bucket: "bucket", prefix: "a/b"))
        return [
            .start(order), .start(StartOrder(vault: StoreWorld.vault, settings: .s3(bucket))),
            .start(StartOrder(vault: StoreWorld.vault, settings: .folder)),
            .get(7, Names.name(.segment, 1), max: 4096),
            .put(8, Names.name(.header, 2), byteCount: 17, digest: [UInt8](repeating: 3, count: 32)),
            .list(9, try #require(StoreFolder(.object, shard: 255))), .list(1, try #require(StoreFolder(.card))),
            .delete(10, Names.name(.card, 3)), .watch(11),
        ]
    }

    private static let answers: [SyncAnswer] =
        [.ready, .changed, .done(5, byteCount: 38 << 20)]
        + StoreFailure.Code.allCases.map { .failed(6, StoreFailure($0, detail: -7, retryAfter: 9)) }

    @Test func everyPacketIsReadBackAndNoPartOfItIsOne() throws {
        for request in try Self.requests() {
            let bytes = request.encoded
            #expect(try SyncRequest(parsing: bytes) == request)
            for count in 0..<bytes.count {
                #expect(throws: FormatError.self) { try SyncRequest(parsing: Array(bytes.prefix(count))) }
            }
            #expect(throws: FormatError.self) { try SyncRequest(parsing: bytes + [0]) }
        }
        for answer in Self.answers {
            let bytes = answer.encoded
            #expect(try SyncAnswer(parsing: bytes) == answer)
            for count in 0..<bytes.count {
                #expect(throws: FormatError.self) { try SyncAnswer(parsing: Array(bytes.prefix(count))) }
            }
            #expect(throws: FormatError.self) { try SyncAnswer(parsing: bytes + [0]) }
        }
    }

    /// Every byte of every packet changed to every value: refused, or another packet that is written as it was read.
    @Test func H08X62NoChangedByteTrapsOrHasASecondForm() throws {
        for bytes in try Self.requests().map(\.encoded) + Self.answers.map(\.encoded) {
            for index in bytes.indices {
                var changed = bytes
                for value in UInt8.min...UInt8.max {
                    changed[index] = value
                    if let request = try? SyncRequest(parsing: changed) { #expect(request.encoded == changed) }
                    if let answer = try? SyncAnswer(parsing: changed) { #expect(answer.encoded == changed) }
                }
            }
        }
    }

    @Test func H08NothingIsReadThatIsLargerThanItsArea() throws {
        let name = Names.name(.card, 1)
        for count in [4 << 10 | 1, 1 << 40, Int.max] {
            #expect(throws: FormatError.self) { try SyncRequest(parsing: SyncRequest.get(1, name, max: count).encoded) }
        }
        var bytes = SyncAnswer.done(1, byteCount: 0).encoded
        bytes.replaceSubrange(5..<13, with: repeatElement(0xFF, count: 8))
        #expect(throws: FormatError.self) { try SyncAnswer(parsing: bytes) }
    }

    /// Trying again helps where the store or the way to it may change, and nowhere else.
    @Test func someReasonsPass() {
        let passing = Set(StoreFailure.Code.allCases.filter { StoreFailure($0).isPassing }.map(\.rawValue))
        #expect(passing == [2, 5, 6, 7, 8, 10, 11, 13])
    }

    @Test func M15waitingGrowsHasJitterAndIsNeverShorterThanAskedFor() {
        var backOff = BackOff()
        let failure = StoreFailure(.unreachable)
        let longest = (0..<12).map { _ in backOff.failed(failure, random: 1) }
        #expect(longest == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        #expect(backOff.failed(failure, random: 0) == 150)
        #expect(backOff.failed(StoreFailure(.throttled, retryAfter: 900), random: 0) == 900)
        #expect(backOff.failed(StoreFailure(.throttled, retryAfter: .max), random: 0) == 3600)
        backOff.succeeded()
        #expect(backOff.failed(failure, random: 0) == 0.5)
    }
}
