// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import FoundationNetworking
import SyncProtocol
import Testing
import VaultTesting

/// What `vault-sync` asks of Dropbox, counted by the fake of its interface.
@Suite struct DropboxStoreTests {
    private struct Log: Decodable {
        let requests: [String: Int]
        let mostCommitsAtOnce: Int

        enum CodingKeys: String, CodingKey {
            case requests
            case mostCommitsAtOnce = "most_commits_at_once"
        }
    }

    @Test func filesThatArePutAtOnceComeToTheirPlacesTogether() throws {
        let world = try StoreWorld(.dropbox)
        let server = try #require(world.server)
        let remote = try world.remote()
        let contents = (0..<16).map { number in [UInt8](repeating: UInt8(number), count: 4096 + number) }
        let files = contents.map { MemoryFile($0) }
        let digests = contents.map { Digest.of($0) }
        for number in 0..<16 {
            _ = try remote.process.put(
                Names.name(.segment, 900 + number), from: files[number].descriptor, byteCount: contents[number].count,
                digest: digests[number])
        }
        for _ in 0..<16 {
            guard case .done = try remote.next(30) else {
                Issue.record("a file was not stored")
                return
            }
        }
        let told = try Data(contentsOf: #require(URL(string: server.url + "/control")))
        let log = try JSONDecoder().decode(Log.self, from: told)
        let alone = log.requests["files/upload"] ?? 0
        let brought = log.requests["files/upload_session/start"] ?? 0
        let together = log.requests["files/upload_session/finish_batch_v2"] ?? 0
        #expect(alone + brought == 16)
        #expect(together > 0 && alone + together < 16)
        #expect(log.mostCommitsAtOnce == 1)
        for number in 0..<16 {
            #expect(try remote.get(Names.name(.segment, 900 + number)).value == contents[number])
        }
    }
}
