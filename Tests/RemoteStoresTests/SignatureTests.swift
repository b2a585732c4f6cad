// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncProtocol
import Testing

/// libcurl's signature against botocore's signer, and what a server says of a bad one.
struct SignatureTests {
    private static let server = Result { try StoreServer("signed") }

    private func remote(
        _ bucket: String = "vaulttest", prefix: String = "p", path: String = "", region: String = "eu-central-1",
        secret: String? = nil
    ) throws -> Remote {
        let server = try Self.server.get()
        let endpoint = try #require(RemoteAddress(server.url + path))
        let settings = try #require(S3Bucket(endpoint: endpoint, region: region, bucket: bucket, prefix: prefix))
        return try Remote(
            StartOrder(vault: StoreWorld.vault, settings: .s3(settings)), server.keys[0], secret ?? server.keys[1])
    }

    /// Every verb, with and without a body, with a page's token that has to be escaped.
    @Test func bothSignersAgreeOnEveryRequest() throws {
        let remote = try remote(prefix: "a-b/c_d.e/F")
        let names = Set((0..<8).map { Names.name(.segment, $0, shard: 0x7F) })
        for name in names { #expect(try remote.put(name, Array(name.text.utf8)).value == 0) }
        #expect(try remote.list(#require(StoreFolder(.segment, shard: 0x7F))).value == names)
        for name in names { #expect(try remote.get(name).value == Array(name.text.utf8)) }
        for name in names { #expect(try remote.delete(name).value == 0) }
        #expect(try remote.put(Names.name(.header, 3), []).value == 0)
        let seen = try Self.server.get().log("seen").split(separator: "\n").filter {
            $0.contains("/a-b/c_d.e/F/") || $0.contains("a-b%2Fc_d.e%2FF")
        }
        #expect(seen.count == 28 && seen.allSatisfy { $0.hasSuffix(" ok") }, "\(seen)")
    }

    @Test func whatASignatureDoesNotFitIsSaid() throws {
        let name = Names.name(.segment, 1)
        #expect(try remote(secret: "another").get(name).failure?.code == .unauthorized)
        #expect(try remote("another-bucket").put(name, [1]).failure?.code == .missing)
        #expect(try remote("another-bucket").get(name).failure?.code == .missing)
        #expect(try remote("vaultfull").put(name, [1]).failure?.code == .quota)
        #expect(try remote(path: "/skewed").get(name).failure?.code == .clock)
    }

    /// The server compares what it got with the digest that was named.
    @Test func aBodyThatChangedOnItsWayIsNotStored() throws {
        let (remote, name) = (try remote(), Names.name(.segment, 2))
        #expect(try remote.put(name, [1, 2, 3], digest: [UInt8](repeating: 9, count: 32)).failure?.code == .refused)
        #expect(try remote.get(name).failure?.code == .absent)
    }
}
