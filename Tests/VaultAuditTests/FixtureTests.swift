// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

@testable import VaultAudit

/// Whole vaults: what is compared, and what a file of vectors that somebody else wrote may not do.
struct FixtureTests {
    private static let file = Result { try VectorFile(parsing: VectorFolder.bytes("vaults.json")) }

    /// The first vault, opened with its recovery key; with other fields than the file has.
    private func judged(_ number: Int = 6, change: (inout [String: JSONValue]) -> Void) throws -> Judge.Outcome {
        let test = try #require(try Self.file.get().tests.first { $0.number == number })
        var fields = test.fields
        change(&fields)
        return Judge.judge(VectorTest(file: test.file, group: test.group, fields: fields), quick: true)
    }

    private func isPassed(_ outcome: Judge.Outcome) -> Bool { if case .passed = outcome { true } else { false } }

    @Test func withoutAChangeItPasses() throws {
        #expect(isPassed(try judged { _ in }))
    }

    @Test(arguments: ["title", "text", "notebook", "tags", "place", "private", "olderTexts", "attachments", "id"])
    func anotherNoteThanItHoldsFails(member: String) throws {
        let outcome = try judged { fields in
            var notes = fields["notes"]?.list ?? []
            guard let index = notes.firstIndex(where: { $0.object?["title"] == .text("Files") }),
                var note = notes[index].object
            else { return }
            note[member] = note[member]?.list == nil ? .text("other") : .list([.text("other")])
            notes[index] = .object(note)
            fields["notes"] = .list(notes)
        }
        guard case .failed(let reason) = outcome else {
            Issue.record("it passed")
            return
        }
        #expect(reason.hasPrefix("valid, but its outcome differs"))
    }

    @Test func aNoteMoreOrLessFails() throws {
        #expect(!isPassed(try judged { $0["notes"] = .list(Array(($0["notes"]?.list ?? []).dropLast())) }))
        #expect(!isPassed(try judged { $0["notes"] = .list(($0["notes"]?.list ?? []) + [.object([:])]) }))
        #expect(!isPassed(try judged { $0["drafts"] = .list([]) }))
    }

    @Test func anotherDraftFails() throws {
        for member in ["text", "note", "id"] {
            let outcome = try judged { fields in
                guard var draft = fields["drafts"]?.list?.first?.object else { return }
                draft[member] = .text("other")
                fields["drafts"] = .list([.object(draft)])
            }
            #expect(!isPassed(outcome), "\(member)")
        }
    }

    @Test(arguments: ["../outside", "/etc/outside", "a/../../outside", "", ".hidden", "a//b", "a\nb", "a/b/c/d/e"])
    func H05aFileThatLeadsOutIsRefused(path: String) throws {
        let outcome = try judged { $0["files"] = .object([path: .text("")]) }
        guard case .failed("a file's path is not a path in a vault") = outcome else {
            Issue.record("another outcome: \(outcome)")
            return
        }
    }

    @Test(arguments: ["base", "after"])
    func noChainOfTestsIsEndless(member: String) throws {
        for number in [6, 7, 1_000_000, -1] {
            guard case .failed(let reason) = try judged(change: { $0[member] = .integer(number) }) else {
                Issue.record("\(number) was taken")
                return
            }
            #expect(reason == "\(member) names no earlier test")
        }
    }

    @Test func anEditThatDoesNotFitIsAFailureAndNoTrap() throws {
        let edits: [[String: JSONValue]] = [
            ["op": .text("flip"), "file": .text("nothing"), "offset": .integer(0), "bit": .integer(0)],
            ["op": .text("flip")],
            ["op": .text("flip"), "file": .text("header"), "offset": .integer(433), "bit": .integer(0)],
            ["op": .text("insert"), "file": .text("header"), "offset": .integer(434), "hex": .text("00")],
            ["op": .text("replace"), "file": .text("header"), "offset": .integer(433), "hex": .text("00")],
            [
                "op": .text("exchange"), "file": .text("header"), "a": .integer(0), "b": .integer(10),
                "size": .integer(11),
            ],
            [
                "op": .text("exchange"), "file": .text("header"), "a": .integer(Int.max), "b": .integer(Int.min),
                "size": .integer(1),
            ],
            ["op": .text("take"), "file": .text("header"), "base": .integer(6)],
            ["op": .text("other"), "file": .text("header")],
            ["op": .text("exchangeFiles"), "file": .text("header"), "with": .text("nothing")],
            ["op": .text("remove"), "file": .text("nothing")],
        ]
        for edit in edits {
            guard case .failed = try judged(change: { $0["edit"] = .list([.object(edit)]) }) else {
                Issue.record("an edit was taken: \(edit)")
                return
            }
        }
    }

    /// Tests run beside this one, so only what is told is looked at: a folder is private and goes with its value.
    @Test func nothingIsLeftBehind() throws {
        var place: FixtureFolder? = try FixtureFolder()
        let folder = try #require(place?.given.deletingLastPathComponent().path)
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        place = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
