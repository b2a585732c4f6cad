// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SyncProtocol
import Testing

/// Answers that no honest server gives. Each ends with its failure, soon, and without taking memory for it.
struct HostileStoreTests {
    private static let server = Result { try StoreServer("hostile") }
    /// A segment's: what is larger is refused while it arrives.
    private static let name = Names.name(.segment, 1)
    private static let card = Names.name(.card, 1)
    private static let shard = StoreFolder(.segment, shard: 0x01)!

    /// A server's trick, and what may come of it.
    struct Trick: Sendable, CustomTestStringConvertible {
        let mode: String
        let codes: Set<StoreFailure.Code>
        var testDescription: String { mode }

        init(_ mode: String, _ codes: StoreFailure.Code...) {
            self.mode = mode
            self.codes = Set(codes)
        }
    }

    private func server() throws -> StoreServer { try Self.server.get() }

    private func order(_ mode: String, isS3: Bool = false) throws -> StartOrder {
        let root = try #require(RemoteAddress(server().url + "/" + mode))
        let bucket = S3Bucket(endpoint: root, region: "us-east-1", bucket: "vaulttest")
        var order = StartOrder(vault: StoreWorld.vault, settings: isS3 ? .s3(try #require(bucket)) : .webDAV(root))
        // A million names take a moment to make and to send.
        let isLong = mode == "million"
        order.limits.connectSeconds = 1
        order.limits.idleSeconds = isLong ? 30 : 1
        order.limits.requestSeconds = isLong ? 30 : 2
        return order
    }

    private func remote(_ mode: String, isS3: Bool = false) throws -> Remote {
        try Remote(order(mode, isS3: isS3), "owner", "a-secret-of-mine")
    }

    /// The most memory that the process ever had, in bytes.
    private func peak(_ remote: Remote) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(remote.process.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return 1024 * (Int(line.filter(\.isNumber)) ?? .max)
    }

    private static let peakMax = 96 << 20

    private static let answers = [
        Trick("truncated", .malformed), Trick("huge", .tooLarge), Trick("endless", .tooLarge),
        Trick("endless-page", .failing), Trick("headers", .malformed), Trick("header-line", .malformed, .unreachable),
        Trick("interim", .malformed, .timedOut), Trick("trailers", .malformed), Trick("slow", .timedOut),
        Trick("slow-headers", .timedOut), Trick("silent", .timedOut), Trick("closed", .unreachable, .malformed),
        Trick("garbage", .malformed), Trick("old", .malformed), Trick("negative", .malformed),
        Trick("bad-chunk", .malformed, .unreachable), Trick("odd-status", .failing), Trick("redirect", .redirected),
        Trick("redirect-307", .redirected), Trick("redirect-file", .redirected), Trick("asks", .unauthorized),
        Trick("reset", .unreachable, .malformed), Trick("status-401", .unauthorized), Trick("status-403", .refused),
        Trick("status-423", .refused), Trick("status-429", .throttled), Trick("status-500", .failing),
        Trick("status-502", .failing), Trick("status-503", .throttled), Trick("status-507", .quota),
        Trick("status-404", .absent), Trick("status-413", .tooLarge), Trick("status-304", .redirected),
    ]

    @Test(arguments: answers) func X60ReadingEndsWithItsFailureInTimeAndMemory(trick: Trick) throws {
        for isS3 in [false, true] {
            let remote = try remote(trick.mode, isS3: isS3)
            let begun = Date.now
            let failure = try remote.get(Self.name, seconds: 25).failure
            #expect(failure.map { trick.codes.contains($0.code) } == true, "\(String(describing: failure))")
            #expect(Date.now.timeIntervalSince(begun) < 20)
            #expect(try peak(remote) < Self.peakMax)
            if failure?.code == .throttled { #expect(failure?.retryAfter == 7) }
        }
    }

    private static let writing = [
        Trick("status-401", .unauthorized), Trick("status-403", .refused), Trick("status-429", .throttled),
        Trick("status-500", .failing), Trick("status-507", .quota), Trick("status-413", .tooLarge),
        Trick("redirect", .redirected), Trick("redirect-307", .redirected), Trick("silent", .timedOut),
        Trick("closed", .unreachable, .malformed), Trick("early", .quota, .unreachable), Trick("asks", .unauthorized),
        Trick("status-404", .missing),
        Trick("odd-status", .failing),
    ]

    @Test(arguments: writing) func M15X60PuttingEndsWithItsFailure(trick: Trick) throws {
        for isS3 in [false, true] {
            let remote = try remote(trick.mode, isS3: isS3)
            for count in [4096, 4 << 20] {
                let content = [UInt8](repeating: 7, count: count)
                let failure = try remote.put(Self.name, content, digest: [UInt8](repeating: 1, count: 32)).failure
                #expect(
                    failure.map { trick.codes.contains($0.code) } == true, "\(count) \(String(describing: failure))")
            }
        }
    }

    /// Nothing is followed, so no credential and no file goes to another host.
    @Test(arguments: ["redirect", "redirect-307", "redirect-here"]) func X61NothingReachesTheHostThatARedirectNames(
        mode: String
    ) throws {
        let remote = try remote(mode)
        #expect(try remote.get(Self.name).failure?.code == .redirected)
        #expect(try remote.put(Self.name, [1]).failure?.code == .redirected)
        #expect(try remote.list(Self.shard).failure?.code == .redirected)
        #expect(try remote.delete(Self.name).failure?.code == .redirected)
        #expect(try server().log("seen").contains("/\(mode)/"))
        #expect(try server().log("trap") == "" && !server().log("seen").contains("/stolen"))
    }

    /// A yes to a put that kept nothing: the transport cannot know. What is asked for afterwards is not there.
    @Test func M16X63AYesToAPutIsNoProof() throws {
        for isS3 in [false, true] {
            let remote = try remote("yes", isS3: isS3)
            #expect(try remote.put(Self.name, [1, 2, 3]).value == 0)
            #expect(try remote.get(Self.name).failure?.code == .absent)
        }
    }

    /// Too short or too long is the reader's to find: it opens nothing that does not authenticate.
    @Test func X60ABodyEndsWhereItsLengthSaysOrWithAFailure() throws {
        #expect(try remote("short-length").get(Self.name).value?.count == 5)
        #expect(try remote("bomb").get(Self.name).value?.count == 1002)
        let twice = try remote("two-lengths").get(Self.name)
        #expect(twice.value?.count == 5 || twice.failure != nil)
        #expect(try remote("endless").get(Self.card).failure?.code == .tooLarge)
    }

    private static let listings = [
        Trick("laughs", .malformed), Trick("external", .malformed), Trick("nul", .malformed), Trick("cut", .malformed),
        Trick("deep", .malformed), Trick("attribute", .malformed), Trick("text", .malformed), Trick("page", .malformed),
        Trick("million", .tooLarge), Trick("endless", .malformed, .tooLarge), Trick("slow", .timedOut, .malformed),
        Trick("silent", .timedOut), Trick("status-403", .refused), Trick("status-429", .throttled),
    ]

    @Test(arguments: listings) func M13H05X60AHostileListingEndsWithItsFailureInTimeAndMemory(trick: Trick) throws {
        let remote = try remote(trick.mode)
        let begun = Date.now
        let failure = try remote.list(Self.shard, seconds: 40).failure
        #expect(failure.map { trick.codes.contains($0.code) } == true, "\(String(describing: failure))")
        #expect(Date.now.timeIntervalSince(begun) < 35)
        #expect(try peak(remote) < Self.peakMax)
    }

    private static let pages = [
        Trick("million", .tooLarge), Trick("cut", .malformed), Trick("same-token", .malformed),
        Trick("no-token", .malformed), Trick("pages", .tooLarge), Trick("laughs", .malformed),
        Trick("slow", .timedOut, .malformed),
    ]

    @Test(arguments: pages) func M13H05X60AHostilePageEndsWithItsFailure(trick: Trick) throws {
        let remote = try remote(trick.mode, isS3: true)
        let failure = try remote.list(Self.shard, seconds: 40).failure
        #expect(failure.map { trick.codes.contains($0.code) } == true, "\(String(describing: failure))")
        #expect(try peak(remote) < Self.peakMax)
    }

    /// Names with `../`, large letters, zeros, a digit too many, twice, of another folder.
    @Test func M19H05OnlyNamesOfOursAreTakenFromAListing() throws {
        let name = try #require(StoreName(.segment, String(repeating: "0123456789abcdef", count: 4)))
        for isS3 in [false, true] {
            #expect(try remote("odd", isS3: isS3).list(Self.shard).value == [name])
            #expect(try remote("twice", isS3: isS3).list(Self.shard).value == [name])
        }
    }

    /// What has a name has one content, so that nothing depends on what a server makes of a condition.
    @Test func M17noConditionIsSetNoCookieKeptAndNoOtherWayToAskTaken() throws {
        let remote = try remote("cookie")
        for _ in 0..<2 { #expect(try remote.get(Self.name).value == [UInt8(ascii: "x")]) }
        for isS3 in [false, true] { _ = try self.remote("cookie", isS3: isS3).put(Self.name, [1]) }
        _ = try self.remote("asks").get(Self.name)
        let seen = try server().log("seen").lowercased()
        #expect(!seen.contains("\r\ncookie:"))
        #expect(seen.contains("put /cookie/") && !seen.contains("\r\nif-"))
        let asked = seen.components(separatedBy: "\r\n\r\n").filter { $0.contains("/asks/") }
        #expect(!asked.isEmpty && asked.allSatisfy { !$0.contains("ntlm") && !$0.contains("negotiate") })
        #expect(!seen.contains("accept-encoding"))
    }

    /// The process goes on after each of them.
    @Test func anotherRequestIsServedAfterAFailure() throws {
        let remote = try remote("truncated")
        for _ in 0..<6 { #expect(try remote.get(Self.name).failure?.code == .malformed) }
        #expect(try remote.watch().failure?.code == .unsupported)
    }
}
