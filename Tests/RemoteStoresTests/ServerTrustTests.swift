// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SyncProtocol
import Testing
import VaultTesting

/// Whom `vault-sync` speaks to, and what becomes of the credential.
@Suite(.serialized)
struct ServerTrustTests {
    private static let server = Result { try StoreServer("nginx-tls") }
    private let name = Names.name(.card, 1)

    private func remote(_ url: String, certificates: [UInt8]) throws -> Remote {
        let server = try Self.server.get()
        var order = StartOrder(vault: StoreWorld.vault, settings: .webDAV(try #require(RemoteAddress(url + "/notes"))))
        order.createsVaultFolder = true
        order.certificates = certificates
        order.limits.connectSeconds = 5
        return try Remote(order, server.password[0], server.password[1])
    }

    @Test func aServerIsAskedWhoseAuthorityIsKnown() throws {
        let server = try Self.server.get()
        let remote = try remote(server.url, certificates: server.authority)
        #expect(try remote.put(name, [1, 2]).value == 0)
        #expect(try remote.get(name).value == [1, 2])
    }

    @Test func X61AServerThatNobodyVouchesForGetsNothing() throws {
        let server = try Self.server.get()
        let before = server.log("requests")
        // The system's authorities do not know it; its certificate is for another name; something else speaks there.
        #expect(try remote(server.url, certificates: []).get(name).failure?.code == .untrusted)
        let byNumber = server.url.replacing("localhost", with: "127.0.0.1")
        #expect(try remote(byNumber, certificates: server.authority).get(name).failure?.code == .untrusted)
        let other = try StoreServer("signed")
        let plain = other.url.replacing("http://", with: "https://")
        #expect(try remote(plain, certificates: server.authority).get(name).failure?.code == .untrusted)
        #expect(other.log("seen") == "")
        #expect(server.log("requests") == before)
    }

    /// Names are looked up on threads, in the confinement: one that is not there, and this machine's own.
    @Test func namesAreLookedUpInTheConfinement() throws {
        let missing = try remote("https://notevault.invalid", certificates: []).get(name).failure
        #expect(missing?.code == .unreachable || missing?.code == .timedOut, "\(String(describing: missing))")
        var own = [CChar](repeating: 0, count: 256)
        #expect(unsafe gethostname(&own, 255) == 0)
        let host = String(decoding: own.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard try String(contentsOfFile: "/etc/hosts", encoding: .utf8).contains(host) else { return }
        // 7: the name was found, and nobody listens.
        #expect(try remote("https://\(host):9", certificates: []).get(name).failure?.detail == 7)
    }

    @Test func X64TheCredentialIsInNoArgumentNorEnvironment() throws {
        let server = try Self.server.get()
        let remote = try remote(server.url, certificates: server.authority)
        #expect(try remote.put(name, [1]).value == 0)
        for file in ["cmdline", "environ"] {
            let data = try Data(contentsOf: URL(filePath: "/proc/\(remote.process.processID)/\(file)"))
            #expect(String(decoding: data, as: UTF8.self) == (file == "cmdline" ? "vault-sync\0" : ""))
        }
        let status = try String(contentsOfFile: "/proc/\(remote.process.processID)/status", encoding: .utf8)
        let locked = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmLck:") })
        #expect((Int(locked.filter(\.isNumber)) ?? 0) > 0)
    }

    @Test func X62TheProcessIsConfined() throws {
        let server = try Self.server.get()
        let folder = TemporaryFolder()
        let remotes = [
            try remote(server.url, certificates: server.authority),
            try Remote(StartOrder(vault: StoreWorld.vault, settings: .folder), folder: folder.url),
        ]
        for remote in remotes {
            let status = try String(contentsOfFile: "/proc/\(remote.process.processID)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
        }
    }

    /// Copies that libraries make are cleared as they are freed: there are not more of them after a hundred requests.
    @Test(.enabled(if: geteuid() == 0, "reads another process's memory")) func X64CopiesOfTheCredentialDoNotPileUp()
        throws
    {
        let server = try Self.server.get()
        let remote = try remote(server.url, certificates: server.authority)
        let secret = server.password[1]
        let header = Data("\(server.password[0]):\(secret)".utf8).base64EncodedString()
        #expect(try remote.put(name, [1]).value == 0)
        let first = try [secret, header].map { try count($0, in: remote.process.processID) }
        for _ in 0..<100 { #expect(try remote.get(name).value == [1]) }
        let after = try [secret, header].map { try count($0, in: remote.process.processID) }
        #expect(first[0] >= 1, "the search finds what is there")
        // What is in use at the moment of the search varies; a copy a request would be a hundred.
        #expect(after[0] <= 6 && after[1] <= 2, "\(first) \(after)")
    }

    private func count(_ text: String, in process: Int32) throws -> Int {
        let memory = unsafe open("/proc/\(process)/mem", O_RDONLY)
        try #require(memory >= 0)
        defer { close(memory) }
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        var found = 0
        for line in maps.split(separator: "\n") where line.contains(" rw") {
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            guard ends.count == 2 else { continue }
            var bytes = Data(count: ends[1] - ends[0])
            let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(memory, $0.baseAddress!, $0.count, ends[0]) }
            guard got > 0 else { continue }
            var rest = bytes[...]
            while let range = rest.range(of: Data(text.utf8)) {
                found += 1
                rest = rest[range.upperBound...]
            }
        }
        return found
    }

    /// The processor sleeps while nothing is asked: no timer of libcurl's, none of ours.
    @Test func nobodyWakesWhileNothingIsAsked() throws {
        let server = try Self.server.get()
        let remote = try remote(server.url, certificates: server.authority)
        #expect(try remote.put(name, [1]).value == 0)
        usleep(500_000)
        func switches() throws -> String {
            let status = try String(contentsOfFile: "/proc/\(remote.process.processID)/status", encoding: .utf8)
            return status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
        }
        let before = try switches()
        usleep(3_000_000)
        #expect(try switches() == before)
    }
}
