// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing
import VaultFormat

@testable import VaultClient

/// What a path says of how an export is laid down.
struct ExportPlanTests {
    @Test(arguments: [
        (ExportNotes.Format.markdown, "out", false, ExportPlan.Place.folder("out"), ExportNotes.Form.folder),
        (.markdown, "a/out///", false, .folder("a/out"), .folder), (.markdown, "/", false, .folder("/"), .folder),
        (.markdown, "out.TAR", false, .file("out.TAR"), .archive), (.markdown, "out", true, .file("out"), .archive),
        (.markdown, "out.tar.age", true, .file("out.tar.age"), .archive), (.markdown, "-", false, .output, .archive),
        (.json, "out", false, .folder("out"), .folder), (.json, "out.json", false, .file("out.json"), .document),
        (.json, "out.tar", false, .file("out.tar"), .archive), (.json, "x.tar.age", true, .file("x.tar.age"), .archive),
        (.json, "x.json.AGE", true, .file("x.json.AGE"), .document), (.json, "x", true, .file("x"), .document),
        (.json, "-", true, .output, .document),
        (.html, "x", false, .file("x"), .document), (.text, "x.tar", false, .file("x.tar"), .document),
        (.jex, "x", false, .file("x"), .archive),
    ])
    func thePathSaysTheForm(
        _ format: ExportNotes.Format, _ output: String, _ isSealed: Bool, _ place: ExportPlan.Place,
        _ form: ExportNotes.Form
    ) throws {
        let plan = try ExportPlan(format, output, isSealed: isSealed)
        #expect(plan.place == place && plan.form == form)
        var order = ExportNotes(format, plan.form)
        order.sealing = isSealed ? .passphrase : .none
        #expect(order.isPossible)
    }

    @Test(arguments: ExportNotes.Format.allCases) func nothingInTheClearIsCalledAge(_ format: ExportNotes.Format) {
        #expect(throws: ClientFailure.self) { try ExportPlan(format, "x.AGE", isSealed: false) }
    }

    @Test func whatDoesNotGoTogetherIsRefused() throws {
        var options = ExportOptions()
        options.output = "x"
        try options.check(json: true)
        func refuses(_ json: Bool = false, _ change: (inout ExportOptions) -> Void) {
            var changed = options
            change(&changed)
            #expect(throws: ClientFailure.self) { try changed.check(json: json) }
        }
        refuses { $0.output = "" }
        refuses { $0.isArmored = true }
        refuses(true) { $0.output = "-" }
        refuses { ($0.usesPassphrase, $0.recipients) = (true, ["age1"]) }
        refuses { ($0.passphraseFile, $0.recipientsFiles) = ("f", ["r"]) }
        refuses { ($0.passphraseFile, $0.passphraseDescriptor) = ("f", 3) }
        refuses { ($0.recipients, $0.plaintext) = (["age1"], true) }
    }

    @Test func aRecipientsFileIsReadByLines() {
        #expect(
            RecipientsFile.recipients(in: "# me\r\nage1a\r\n\n  age1b\t\n#age1c\nage1d") == ["age1a", "age1b", "age1d"])
        #expect(RecipientsFile.recipients(in: "").isEmpty)
    }

    private static func read(_ bytes: [UInt8]) throws -> ExportNotes {
        var reader = ByteReader(bytes)
        _ = try ClientTraits(from: &reader)
        _ = try reader.u8()
        return try ExportNotes(from: &reader)
    }

    @Test func requestsAndReportsAreReadAsTheyWereWritten() throws {
        for sealing in [ExportNotes.Sealing.none, .passphrase, .recipients(["age1a", "age1b"])] {
            for (format, form) in [(ExportNotes.Format.json, ExportNotes.Form.document), (.markdown, .archive)] {
                var order = ExportNotes(format, form)
                (order.query, order.includesTrash, order.includesHistory, order.sealing, order.isArmored) = (
                    "a \"b\"", true, false, sealing, true
                )
                let bytes = order.encoded(for: ClientTraits())
                #expect(try Self.read(bytes) == order)
                for count in 0..<bytes.count {
                    #expect(throws: (any Error).self) { try Self.read(Array(bytes[..<count])) }
                }
                #expect(throws: (any Error).self) { try Self.read(bytes + [0]) }
                #expect(order.needsDescriptor && order.needsSecret == (sealing == .passphrase))
            }
        }
        var report = ExportReport()
        (report.noteCount, report.attachmentCount) = (3, 4)
        report.losses = [.init(code: "history", words: "older", count: 9, isMissing: true)]
        #expect(try ExportReport(parsing: report.encoded) == report)
        for count in 0..<report.encoded.count {
            #expect(throws: (any Error).self) { try ExportReport(parsing: Array(report.encoded[..<count])) }
        }
    }
}
