// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import RecoveryPage
import Testing

struct FileTests {
    private func file(_ name: String = "Notes", _ key: String = Samples.key) throws -> [UInt8] {
        try RecoveryPage.draw(Samples.record(name: name, key: key))
    }

    @Test func theSameRecordGivesTheSameFile() throws {
        #expect(try file() == file())
        #expect(try file() != file("Other"))
        #expect(try file() != file("Notes", Samples.key.replacing("6h2b", with: "6h2c")))
    }

    @Test func itSaysNothingOfByWhomWhereAndWhenItWasMade() throws {
        let text = try DrawnPage(file()).file
        for word in ["/Producer", "/Creator", "/CreationDate", "/ModDate", "/Author", "/Metadata", "/ID", "D:20"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains("<< /Title (Recovery key) >>"))
        #expect(!text.contains("/JavaScript") && !text.contains("/URI") && !text.contains("/OpenAction"))
    }

    @Test(arguments: [Samples.key, Samples.longestKey])
    func theTableNamesThePlaceOfEveryObject(key: String) throws {
        let bytes = try file("Notes", key)
        let text = DrawnPage(bytes).file
        #expect(text.hasPrefix("%PDF-1.4\n") && text.hasSuffix("%%EOF\n") && bytes.count < RecoveryPage.byteCountMax)
        let start = try #require(text.components("startxref\n", "\n").first.flatMap { Int($0) })
        #expect(bytes[start...].starts(with: Array("xref\n".utf8)))
        let lines = String(decoding: bytes[start...], as: UTF8.self).split(separator: "\n").dropFirst(3).prefix {
            $0.hasSuffix(" n ")
        }
        #expect(lines.count == text.ranges(of: " 0 obj\n").count && text.contains("/Size \(lines.count + 1) "))
        for (index, line) in lines.enumerated() {
            #expect(line.utf8.count == 19)
            let offset = try #require(Int(line.prefix(10)))
            #expect(bytes[offset...].starts(with: Array("\(index + 1) 0 obj\n".utf8)))
        }
    }

    @Test func everyStreamIsAsLongAsItSays() throws {
        let text = try DrawnPage(file()).file
        for part in text.components("/Length ", "\nendobj") where part.contains("stream") {
            let number = try #require(part.split(separator: " ").first)
            let content = try #require(part.components("stream\n", "\nendstream").first)
            let count = try #require(text.components("\n\(number) 0 obj\n", "\n").first)
            #expect(Int(count) == content.utf8.count)
        }
        #expect(text.ranges(of: "endstream").count == 35)
    }

    @Test func everyCharacterOfAKeyHasALetter() throws {
        let text = try DrawnPage(file()).file
        let names = try #require(text.components("/Differences [", "]").first).split(separator: " ")
        let codes = names.enumerated().filter { $0.offset % 2 == 0 }.compactMap { UInt8($0.element) }
        #expect(Set(codes) == Set("-abcdefghijklmnopqrstuvwxyz234567".utf8) && codes == codes.sorted())
        let drawings = text.components(" d1 ", " S\n").map { $0 }
        #expect(drawings.count == 33 && Set(drawings).count == 33)
    }
}
