// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncProtocol
import Testing
import VaultFormat
import VaultTesting

/// What is a name, an address and a bucket, and above all what is not.
struct NameTests {
    private static let digits = String(repeating: "0123456789abcdef", count: 4)

    /// `D` stands for 64 digits, `E` for 63, `F` for 62.
    private static let foreign: [String] = [
        "", ".", "..", "../D", "D/", "/D", "E", "D0", "D\n", " E", "Eg", "EA", "E\0", "EＡ", "s/01/D", "F..", "FF",
        "00000000000000000012-0123abcd",
    ].map { (text: String) -> String in
        text.replacing("D", with: digits).replacing("E", with: digits.dropLast())
            .replacing("F", with: digits.dropLast(2))
    }

    @Test(arguments: foreign) func M19H01H05OnlyDigitsAreAName(text: String) {
        for area in [StoreArea.card, .segment, .object] { #expect(StoreName(area, text) == nil) }
    }

    @Test func aNameHasItsFolder() throws {
        let name = try #require(StoreName(.segment, Self.digits))
        #expect(name.folder.parts == ["s", "01"] && name.folder == StoreFolder(.segment, shard: 1))
        #expect(StoreName(.card, Self.digits)?.folder.parts == ["d"])
        #expect(StoreName(.object, "ff" + Self.digits.dropFirst(2))?.folder.parts == ["o", "ff"])
        #expect(StoreFolder(.segment) == nil && StoreFolder(.card, shard: 0) == nil)
    }

    @Test func H01AHeadersNameIsItsCounterAndDigest() {
        #expect(StoreName(.header, "00000000000000000012-0123abcd")?.folder.parts == ["h"])
        for text in [
            Self.digits, "12-0123abcd", "00000000000000000012-0123abcd/", "00000000000000000012-0123ABCD",
            "0000000000000000001a-0123abcd", "00000000000000000012_0123abcd", "00000000000000000012-0123abcde",
        ] { #expect(StoreName(.header, text) == nil, "\(text)") }
    }

    @Test(arguments: [
        "https://example.org", "https://example.org/",
        "https://cloud.example.org:8443/remote.php/dav/files/me%40home/Notes",
        "https://[2001:db8::1]/x", "http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:1/x",
        "http://127.9.8.7",
        "https://10.0.0.1/a,b;c=d",
    ]) func anAddressIsTaken(text: String) { #expect(RemoteAddress(text) != nil) }

    @Test(arguments: [
        "", "example.org", "ftp://example.org", "file:///etc/passwd", "https://", "https:///x",
        "https://user@example.org",
        "https://user:pass@example.org", "https://example.org/?x", "https://example.org/#x", "https://example.org/../x",
        "https://example.org/./x", "https://example.org//x", "https://example.org/%2e%2e/x", "https://example.org/%2Fx",
        "https://example.org/%00", "https://example.org/%4", "https://example.org/a b", "https://example.org/\u{e4}",
        "https://example.org:0", "https://example.org:70000", "https://example.org:+1", "https://example.org:080",
        "https://-x.org", "https://x..org", "https://[::1", "https://exa\nmple.org",
        // Plain, and not of this machine.
        "http://example.org", "http://10.0.0.1", "http://0127.0.0.1", "http://127.1", "http://127.0.0.1.example.org",
        "http://localhost.example.org", "http://[::2]", "http://2130706433", "http://127.0.0.256",
    ]) func X61AnAddressThatIsNotPlainlyOneIsRefused(text: String) { #expect(RemoteAddress(text) == nil) }

    @Test func aBucketHasOnlyWhatNeedsNoEscaping() throws {
        let endpoint = try #require(RemoteAddress("https://s3.example.org"))
        func make(_ region: String, _ bucket: String, _ prefix: String) -> S3Bucket? {
            S3Bucket(endpoint: endpoint, region: region, bucket: bucket, prefix: prefix)
        }
        #expect(make("eu-1", "my-notes", "a/b.c") != nil && make("eu-1", "my-notes", "") != nil)
        for (region, bucket, prefix) in [
            ("", "bucket", ""), ("eu:x", "bucket", ""), ("eu", "ab", ""), ("eu", "a/b", ""), ("eu", "..", ""),
            ("eu", "bucket", "a//b"),
            ("eu", "bucket", "../x"), ("eu", "bucket", "/a"), ("eu", "bucket", "a b"), ("eu", "bu?ket", ""),
            ("eu", "bucket", "a%2Fb"),
        ] { #expect(make(region, bucket, prefix) == nil, "\(region) \(bucket) \(prefix)") }
    }

    @Test func aListingIsReadBackAndNothingElseIs() throws {
        let folder = try #require(StoreFolder(.object, shard: 0x20))
        let names = (0..<5).map { Names.name(.object, $0, shard: 0x20) }
        let file = MemoryFile()
        let count = try StoreListing.write(names, to: file.descriptor)
        #expect(try StoreListing.names(in: file.bytes(count), of: folder) == names)
        let line = Array(names[0].text.utf8) + [10]
        let other = Array(Names.name(.object, 1, shard: 0x21).text.utf8) + [10]
        for (bytes, code) in [
            (line.dropLast(), .truncated), (line + line, .duplicate), (line + other, .notCanonical),
            (line + [10], .notCanonical),
            (Array("../x\n".utf8), .notCanonical),
        ] as [([UInt8], FormatError.Code)] {
            #expect(throws: FormatError.self) { try StoreListing.names(in: bytes, of: folder) }
            do { _ = try StoreListing.names(in: bytes, of: folder) } catch { #expect(error.code == code) }
        }
    }
}
