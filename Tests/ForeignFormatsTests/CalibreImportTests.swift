// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

struct CalibreImportTests {
    static func opf(_ metadata: String, head: String = "") -> String {
        """
        <?xml version='1.0' encoding='utf-8'?>
        \(head)<package xmlns="http://www.idpf.org/2007/opf" unique-identifier="uuid_id" version="2.0">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
        \(metadata)
            </metadata>
            <guide><reference type="cover" title="Cover" href="cover.jpg"/></guide>
        </package>
        """
    }

    private static let book = opf(
        """
        <dc:identifier opf:scheme="calibre" id="calibre_id">12</dc:identifier>
        <dc:identifier opf:scheme="uuid" id="uuid_id">0f2c9a1e-3b4d-4c5e-8f60-718293a4b5c6</dc:identifier>
        <dc:title>T &amp; more</dc:title>
        <dc:creator opf:file-as="Lee, Ada" opf:role="aut">Ada Lee</dc:creator>
        <dc:creator opf:file-as="Lee, Ada" opf:role="aut">Bo Ek</dc:creator>
        <dc:contributor opf:role="trl">Cy Do</dc:contributor>
        <dc:contributor opf:file-as="calibre" opf:role="bkp">calibre (7.0.0) [https://calibre-ebook.com]</dc:contributor>
        <dc:date>2019-06-07T07:00:00+00:00</dc:date>
        <dc:description>&lt;div&gt;&lt;p&gt;One.&lt;/p&gt;&lt;p&gt;&lt;b&gt;Two&lt;/b&gt;&lt;/p&gt;&lt;/div&gt;</dc:description>
        <dc:publisher>House</dc:publisher>
        <dc:identifier opf:scheme="ISBN">9780385000017</dc:identifier>
        <dc:identifier opf:scheme="AMAZON_DE">B00AAAAAA1</dc:identifier>
        <dc:identifier opf:scheme="GOOGLE">abc</dc:identifier>
        <dc:language>deu</dc:language>
        <dc:subject>Sea</dc:subject>
        <dc:subject>Sci-Fi, hard</dc:subject>
        <meta name="calibre:author_link_map" content="{&quot;Ada Lee&quot;: &quot;&quot;}"/>
        <meta name="calibre:series" content="Saga's"/>
        <meta name="calibre:series_index" content="2.5"/>
        <meta name="calibre:rating" content="7"/>
        <meta name="calibre:timestamp" content="2022-12-24T10:00:00.250000+00:00"/>
        <meta name="calibre:title_sort" content="T &amp; more"/>
        <meta name="calibre:user_metadata:#read" content="{&quot;#value#&quot;: true, &quot;name&quot;: &quot;Read&quot;}"/>
        <meta name="calibre:user_metadata:#empty" content="{&quot;#value#&quot;: null}"/>
        """)

    @Test func aFolderOfALibraryBecomesABookWithItsCover() throws {
        let files: [(String, [UInt8])] = [
            ("Ada Lee/T (12)/T - Ada Lee.epub", [1]), ("Ada Lee/T (12)/cover.jpg", [0xFF, 0xD8, 9]),
            ("Ada Lee/T (12)/data/x.txt", [2]), ("Ada Lee/T (12)/metadata.opf", Array(Self.book.utf8)),
            ("metadata.db", [3]),
        ]
        let result = Imported(.calibre, MemorySource(files, pieceByteCount: 9), kind: .folder)
        #expect(result.isWellFormed && result.refused.isEmpty && result.notes.count == 1)
        let note = try #require(result.note("0f2c9a1e-3b4d-4c5e-8f60-718293a4b5c6"))
        let book = try #require(note.book)
        #expect(note.title == "T & more" && note.tags == ["Sea", "Sci-Fi, hard"] && note.created == 1_671_876_000_250)
        #expect(book.authors == ["Ada Lee", "Bo Ek"] && book.publishers == ["House"] && book.language == "deu")
        #expect(book.published == "2019-06-07" && book.rating == 14 && book.added == 19_350)
        #expect(
            book.identifiers == [
                .init(kind: "isbn13", value: "9780385000017"), .init(kind: "asin", value: "B00AAAAAA1"),
                .init(kind: "google", value: "abc"),
            ])
        #expect(
            note.body.hasPrefix(
                "---\ncontributor-trl: 'Cy Do'\nseries: 'Saga''s'\nseries-index: '2.5'\nread: 'true'\n---\nOne.\n\n**Two**"
            ))
        #expect(note.attachments.map(\.name) == ["cover.jpg"])
        #expect(result.attachments["cover/Ada Lee/T (12)/cover.jpg"] == [0xFF, 0xD8, 9])
        #expect(
            note.losses.filter { !$0.code.isKept } == [
                Loss(.bookFileNotImported, detail: "epub"), Loss(.bookFileNotImported, detail: "txt"),
            ])
    }

    @Test func oneFileIsABookWhateverItIsCalled() throws {
        let note = try #require(Imported(.calibre, MemorySource([("x.xml", Self.book)])).notes.first)
        #expect(note.title == "T & more" && note.attachments.isEmpty)
    }

    @Test func theYear101IsNoDateAndPrefixesAreAnybodys() throws {
        let text = """
            <package xmlns="http://www.idpf.org/2007/opf"><opf:metadata xmlns:opf="http://www.idpf.org/2007/opf"
            xmlns:DC="http://purl.org/dc/elements/1.1/"><DC:title> T
             x</DC:title><DC:date>0101-01-01T00:00:00+00:00</DC:date><DC:creator opf:role="edt">E</DC:creator>
            <DC:creator>A</DC:creator><opf:meta name="calibre:rating" content="0"/></opf:metadata></package>
            """
        let note = try #require(Imported(.calibre, MemorySource([("m.opf", text)])).notes.first)
        #expect(note.title == "T x" && note.book?.published == "" && note.book?.authors == ["A"])
        #expect(note.body == "---\ncontributor-edt: 'E'\n---\n" && note.sourceKey == "T x" && note.book?.rating == 0)
    }

    @Test func aBookThatOccursTwiceAndFilesWithoutABookAreTold() {
        let files = [
            ("A/T (1)/metadata.opf", Self.book), ("A/T (2)/T.epub", "x"), ("A/T (2)/metadata.opf", Self.book),
            ("A/notes.txt", "x"), ("B/U (3)/cover.jpg", "x"),
            ("B/U (3)/metadata.opf", "<package><metadata/></package>"),
        ]
        let result = Imported(.calibre, MemorySource(files), kind: .folder)
        #expect(result.isWellFormed && result.notes.count == 1)
        #expect(result.reasons == [.duplicate, .unknownKind, .unknownKind, .damaged, .notUsed])
    }

    @Test func entitiesAndOtherHostileXMLAreRefused() {
        let entity = #"<!DOCTYPE package [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>"#
        let outer = #"<!DOCTYPE package SYSTEM "file:///etc/passwd">"#
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        let cases: [(String, RefusedEntry.Reason)] = [
            (Self.opf("<dc:title>&b;</dc:title>", head: entity), .declarations),
            (Self.opf("<dc:title>&x;</dc:title>", head: outer), .declarations),
            (Self.opf("<dc:title>&nbsp;T</dc:title>"), .declarations), (Self.opf("<dc:title>T"), .damaged),
            (Self.opf("<dc:title>T</dc:title>" + deep), .damaged), ("<html/>", .damaged), ("", .damaged),
            (String(Self.book.prefix(900)), .damaged),
            (Self.opf("<dc:title>T</dc:title><!--" + String(repeating: "x", count: 5 << 20) + "-->"), .tooLarge),
        ]
        for (text, reason) in cases {
            let result = Imported(.calibre, MemorySource([("metadata.opf", text)]))
            #expect(result.reasons == [reason] && result.notes.isEmpty && result.isWellFormed)
        }
        let named = Imported(.calibre, MemorySource([("m.opf", Self.opf("<dc:title>T</dc:title>", head: outer))]))
        #expect(named.notes.map(\.title) == ["T"])
    }

    @Test func moreThanABookCanHoldIsCutAndTold() throws {
        let creators = (0..<100).map { "<dc:creator>N \($0)</dc:creator><dc:subject>S \($0)</dc:subject>" }
        let long = String(repeating: "x", count: 70_000)
        let numbers = (0..<100).map { "<dc:identifier opf:scheme=\"k\($0)\">\($0)</dc:identifier>" }
        let rest = "<dc:rights>\(long)</dc:rights><dc:publisher>\(long)</dc:publisher>"
        let odd = "<dc:identifier opf:scheme=\"日本\">1</dc:identifier><meta name=\"calibre:rating\" content=\"11\"/>"
        let text = Self.opf("<dc:title>T</dc:title>" + (creators + numbers + [rest, odd]).joined())
        let note = try #require(Imported(.calibre, MemorySource([("m.opf", text)])).notes.first)
        #expect(isWithinCaps(note) && note.book?.authors.count == 64 && note.book?.identifiers.count == 64)
        #expect(note.tags.count == 100 && note.book?.publishers.first?.utf8.count == 1024)
        #expect(codes(note).contains(.valueCut) && note.losses.contains(Loss(.valueUnreadable, detail: "rating")))
    }
}
