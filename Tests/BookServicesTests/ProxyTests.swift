// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import Testing

struct ProxyTests {
    private func settings(_ variables: [String: String]) -> ProxySettings? {
        ProxySettings.inEnvironment { variables[$0] }
    }

    @Test func theEnvironmentNamesIt() {
        #expect(settings([:]) == ProxySettings.none)
        #expect(settings(["HTTPS_PROXY": "http://a:3128"])?.port == 3128)
        #expect(settings(["https_proxy": "http://a:1", "HTTPS_PROXY": "http://b:2"])?.port == 1)
        #expect(settings(["https_proxy": "", "ALL_PROXY": "socks5h://b"])?.server == "socks5h://b")
        #expect(settings(["http_proxy": "http://a:1"]) == ProxySettings.none)
        #expect(settings(["https_proxy": "a:7", "NO_PROXY": "x.y"])?.exceptions == "x.y")
    }

    @Test(
        arguments: [
            ("a", 1080), ("http://a", 1080), ("https://a", 443), ("socks5h://u:p@a.b:9050/", 9050),
            ("http://[::1]:8", 8),
            ("http://[::1]", 1080), ("http://u:p@w@a:5", 5),
        ] as [(String, UInt16)]) func itsPortIsTheOneThatLibcurlTakes(server: String, port: UInt16)
    {
        #expect(ProxySettings(server: server)?.port == port)
    }

    @Test(arguments: [
        "http://", "ftp://a", "http://a:0", "http://a:99999", "http://a b", "a/b", "a\n", ":80", "\u{fc}",
    ])
    func whatIsNoAddressIsNoProxyAndNotNone(server: String) {
        #expect(ProxySettings(server: server) == nil)
        #expect(settings(["https_proxy": server]) == nil)
    }

    @Test func someHostsAreAskedWithoutIt() throws {
        let proxy = try #require(ProxySettings(server: "http://a:1", except: "example.org, .books.test ,x"))
        func isUsed(_ text: String) throws -> Bool { proxy.isUsed(for: try #require(FetchAddress(text))) }
        #expect(try isUsed("https://www.googleapis.com/") && isUsed("https://badexample.org/"))
        #expect(
            try !isUsed("https://example.org/") && !isUsed("https://a.example.org/") && !isUsed("https://books.test/"))
        #expect(try !isUsed("http://127.0.0.1:8/") && !isUsed("https://localhost/") && !isUsed("http://[::1]/"))
        let all = try #require(ProxySettings(server: "http://a:1", except: "*"))
        #expect(!all.isUsed(for: try #require(FetchAddress("https://example.org/"))))
    }

    @Test(
        arguments: [
            ([127, 0, 0, 1], NetworkPlace.thisMachine), ([10, 1, 2, 3], .inside), ([169, 254, 169, 254], .inside),
            ([172, 15, 0, 1], .outside), ([172, 16, 0, 1], .inside), ([172, 31, 9, 9], .inside),
            ([172, 32, 0, 1], .outside),
            ([192, 168, 1, 1], .inside), ([100, 64, 0, 1], .inside), ([100, 128, 0, 1], .outside),
            ([0, 0, 0, 0], .inside),
            ([224, 0, 0, 1], .inside), ([255, 255, 255, 255], .inside), ([8, 8, 8, 8], .outside),
            ([198, 18, 0, 1], .inside),
            ([], .inside), ([1, 2, 3], .inside),
        ] as [([UInt8], NetworkPlace)]) func X67anAddressOfIPv4LeadsSomewhere(bytes: [UInt8], place: NetworkPlace)
    {
        #expect(NetworkPlace(of: bytes) == place)
    }

    @Test(arguments: [
        ("00000000000000000000000000000001", NetworkPlace.thisMachine), ("00000000000000000000000000000000", .inside),
        ("fe800000000000000000000000000001", .inside), ("fd000000000000000000000000000001", .inside),
        ("ff020000000000000000000000000001", .inside), ("00000000000000000000ffff7f000001", .thisMachine),
        ("00000000000000000000ffff0a000001", .inside), ("00000000000000000000ffff08080808", .outside),
        ("0064ff9b0000000000000000a9fea9fe", .inside), ("0064ff9b000000000000000008080808", .outside),
        ("20020a00000100000000000000000001", .inside), ("20020808080800000000000000000001", .outside),
        ("20010db8000000000000000000000001", .inside), ("20010000000000000000000000000001", .inside),
        ("2a00145040010000000000000000200a", .outside), ("000000000000000000000000c0a80101", .inside),
    ]) func X67anAddressOfIPv6LeadsSomewhere(digits: String, place: NetworkPlace) {
        let letters = Array(digits)
        let bytes = stride(from: 0, to: 32, by: 2).compactMap { UInt8(String(letters[$0...$0 + 1]), radix: 16) }
        #expect(bytes.count == 16 && NetworkPlace(of: bytes) == place)
    }
}
