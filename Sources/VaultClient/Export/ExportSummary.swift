// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `ExportSummary` makes what is said after an export: what was written, what is missing, and where the copy lies.
struct ExportSummary {
    let report: ExportReport
    let format: ExportNotes.Format
    /// Nil for standard output.
    let path: String?
    let isSealed: Bool

    func tell(_ context: Context) throws(ClientFailure) {
        if context.options.json { return try Streams.write(json + "\n") }
        for loss in report.losses {
            let line = "\(loss.words): \(loss.count)"
            // What is missing is said even to who wants no news.
            if loss.isMissing {
                Streams.say("vault: loss: " + line)
            } else {
                context.reporter.talk("vault: note: " + line)
            }
        }
        context.reporter.talk(last)
    }

    private var last: String {
        let notes = "\(report.noteCount) \(report.noteCount == 1 ? "note" : "notes")"
        let attachments =
            report.attachmentCount == 0
            ? "" : ", \(report.attachmentCount) \(report.attachmentCount == 1 ? "attachment" : "attachments")"
        guard let path else { return notes + attachments + " written to standard output" }
        let place = VisibleText.escaped(path)
        return isSealed
            ? "\(notes)\(attachments) written to \(place), encrypted with age"
            : "\(notes)\(attachments) written unencrypted; the vault does not protect this copy: \(place)"
    }

    private var json: String {
        let losses = report.losses.map { loss in
            "{\"code\":\(JSONText.quoted(loss.code)),\"count\":\(loss.count),\"words\":\(JSONText.quoted(loss.words)),\"missing\":\(loss.isMissing)}"
        }
        return
            "{\"schema\":1,\"written\":\(JSONText.quotedOrNull(path)),\"format\":\(JSONText.quoted("\(format)")),\"encrypted\":\(isSealed),"
            + "\"notes\":\(report.noteCount),\"attachments\":\(report.attachmentCount),\"losses\":[\(losses.joined(separator: ","))]}"
    }
}
