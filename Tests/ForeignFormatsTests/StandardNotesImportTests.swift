// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

struct StandardNotesImportTests {
    static let superText = #"""
        {"root":{"type":"root","children":[{"type":"heading","tag":"h2","children":[{"type":"text","text":"Head","format":0}]},
        {"type":"paragraph","children":[{"type":"text","text":"bold","format":1},{"type":"text","text":" and ","format":0},
        {"type":"link","url":"https://a.example","children":[{"type":"text","text":"link","format":0}]},{"type":"snbubble","itemUuid":"n1"}]},
        {"type":"list","listType":"check","children":[{"type":"listitem","checked":true,"children":[{"type":"text","text":"done","format":0}]}]},
        {"type":"snfile","fileUuid":"f"}]}}
        """#

    static let backup: String = {
        let escaped = superText.split(separator: "\n").joined().map {
            $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0)
        }.joined()
        return #"""
            {"version":"004","items":[
            {"uuid":"n1","content_type":"Note","created_at":"2020-01-02T03:04:05.678Z","updated_at":"1970-01-01T00:00:00.000Z","content":{
            "title":"One","text":"plain [[text]] \u00e9 \ud83d\ude00","noteType":"plain-text","trashed":true,"starred":true,"protected":true,
            "appData":{"org.standardnotes.sn":{"pinned":true,"archived":true,"client_updated_at":"2021-01-01T00:00:00.000Z"}}}},
            {"uuid":"n2","content_type":"Note","content":{"title":"Two","noteType":"super","text":"SUPER"}},
            {"uuid":"n3","content_type":"Note","content":{"title":"Three","noteType":"rich-text","text":"<p>a <b>b</b> <u>c</u></p>"}},
            {"uuid":"n4","content_type":"Note","content":"004:nonce:ciphertext:data"},
            {"uuid":"n5","content_type":"Note","deleted":true},
            {"uuid":"t1","content_type":"Tag","content":{"title":"work","references":[{"uuid":"n1","content_type":"Note"}]}},
            {"uuid":"t2","content_type":"Tag","content":{"title":"sub","references":[{"uuid":"t1","content_type":"Tag"},{"uuid":"n1","content_type":"Note"}]}}
            ]}
            """#.replacing("SUPER", with: escaped)
    }()

    @Test func aNoteKeepsItsTagsMarksAndDates() throws {
        let result = Imported(.standardnotes, MemorySource([("backup.txt", Self.backup)], pieceByteCount: 11))
        #expect(result.isWellFormed && result.notes.count == 3 && result.summary?.found.notes == 4)
        let note = try #require(result.note("n1"))
        #expect(
            note.title == "One" && note.body == "plain [[text]] é 😀" && note.tags == ["work", "work/sub", "starred"])
        #expect(
            note.flags == [.pinned, .archived, .trashed] && note.created == 1_577_934_245_678
                && note.updated == 1_609_459_200_000)
        #expect(note.losses == [Loss(.flagNotCarried, detail: "protected")])
    }

    @Test func superNotesBecomeMarkdownAndKeepTheOriginal() throws {
        let result = Imported(.standardnotes, MemorySource([("backup.txt", Self.backup)]))
        let note = try #require(result.note("n2"))
        #expect(note.body == "## Head\n\n**bold** and [link](https://a.example)[[One]]\n\n- [x] done\n\n")
        #expect(note.links.map(\.sourceKey) == ["n1"] && note.attachments.map(\.name) == ["original.json"])
        #expect(String(decoding: result.attachments["original/n2"] ?? [], as: UTF8.self).contains("snfile"))
        #expect(codes(note) == [.unsupportedMarkup, .originalKept])
    }

    @Test func blocksWithinAnUnknownBlockStayApart() throws {
        let text = #"""
            {\"root\":{\"children\":[{\"type\":\"collapsible-container\",\"children\":[
            {\"type\":\"collapsible-title\",\"children\":[{\"type\":\"text\",\"text\":\"Packing\"}]},
            {\"type\":\"collapsible-content\",\"children\":[{\"type\":\"paragraph\",\"children\":[{\"type\":\"text\",\"text\":\"Boots\"}]},
            {\"type\":\"paragraph\",\"children\":[{\"type\":\"text\",\"text\":\"Rope\"}]}]}]},
            {\"type\":\"unknown\",\"children\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"link\",\"url\":\"x\",\"children\":[{\"type\":\"text\",\"text\":\"b\"}]}]}]}}
            """#.split(separator: "\n").joined()
        let backup = #"{"items":[{"uuid":"a","content_type":"Note","content":{"noteType":"super","text":"\#(text)"}}]}"#
        let note = try #require(Imported(.standardnotes, MemorySource([("b.txt", backup)])).notes.first)
        #expect(note.body == "Packing\n\nBoots\n\nRope\n\na[b](x)\n\n")
    }

    @Test func aLinkBehindAnExclamationMarkIsNoPicture() throws {
        let text =
            #"{\"root\":{\"children\":[{\"type\":\"paragraph\",\"children\":[{\"type\":\"text\",\"text\":\"Look!\"},"#
            + #"{\"type\":\"link\",\"url\":\"https://a.example\",\"children\":[{\"type\":\"text\",\"text\":\"here\"}]},"#
            + #"{\"type\":\"text\",\"text\":\" or!\"},{\"type\":\"snbubble\",\"itemUuid\":\"a\"}]}]}}"#
        let backup =
            #"{"items":[{"uuid":"a","content_type":"Note","content":{"title":"One","noteType":"super","text":"\#(text)"}}]}"#
        let note = try #require(Imported(.standardnotes, MemorySource([("b.txt", backup)])).notes.first)
        #expect(note.body == #"Look\![here](https://a.example) or\![[One]]"# + "\n\n")
    }

    @Test func richTextBecomesMarkdownAndKeepsTheOriginal() throws {
        let result = Imported(.standardnotes, MemorySource([("backup.txt", Self.backup)]))
        let note = try #require(result.note("n3"))
        #expect(note.body == "a **b** c\n" && note.losses.contains(Loss(.unsupportedMarkup, detail: "u")))
        #expect(result.attachments["original/n3"] == Array("<p>a <b>b</b> <u>c</u></p>".utf8))
    }

    @Test func encryptedItemsAreRefusedByName() {
        let result = Imported(.standardnotes, MemorySource([("backup.txt", Self.backup)]))
        #expect(result.refused == [RefusedEntry(.encrypted, path: "Note n4".utf8)])
    }

    @Test(arguments: [
        "", "[]", "{", "{}", "{\"items\":[", "{\"items\":[{},", "nonsense", "{\"a\":{\"items\":[]}}",
        "\u{FEFF}{\"items\":[1",
    ])
    func whatIsNoBackupIsRefusedAsAWhole(text: String) {
        let result = Imported(.standardnotes, MemorySource([("b.txt", text)]))
        #expect(
            result.summary?.isComplete == false && result.refused.last?.reason.endsImport == true
                && result.notes.isEmpty)
    }

    @Test func oneDamagedItemDoesNotTakeTheOthersWithIt() {
        let text =
            #"{"items":[{"uuid":"a","content_type":"Note","content":{"title":"\x"}},{"uuid":"b","content_type":"Note","content":{"title":"t","text":"x"}}]}"#
        let result = Imported(.standardnotes, MemorySource([("b.txt", text)]))
        #expect(result.reasons == [.damaged] && result.notes.map(\.sourceKey) == ["b"])
    }

    @Test func deepNestingIsRefusedAndLongTextIsFast() {
        let deep =
            "{\"items\":[" + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "]}"
        #expect(Imported(.standardnotes, MemorySource([("b.txt", deep)])).reasons == [.damaged])
        let super64 = String(repeating: #"{\"children\":["#, count: 60) + String(repeating: "]}", count: 60)
        let text =
            #"{"items":[{"uuid":"a","content_type":"Note","content":{"noteType":"super","text":"{\"root\":SUPER}"}}]}"#
        #expect(
            Imported(.standardnotes, MemorySource([("b.txt", text.replacing("SUPER", with: super64))])).notes.count == 1
        )
    }
}
