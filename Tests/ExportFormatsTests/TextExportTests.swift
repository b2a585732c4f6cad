// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ExportFormats
import Testing
import VaultFormat

struct TextExportTests {
    @Test func aNoteIsWrittenLikeThis() throws {
        let collected = Collected()
        let export = TextExport(to: { collected.add($0) })
        var plan = note(1, "Plan\nid: x", "Text", notebook: "Work")
        plan.tags = ["a", "b"]
        plan.flags = .pinned
        plan.attachments = [attachment(1, "p.png")]
        plan.attachments[0].caption = "Cap"
        try export.add(plan)
        try export.add(note(2, "", "", isSet: false))
        let losses = try export.finish()
        #expect(
            collected.text == """
                \(String(repeating: "=", count: 72))
                Plan id: x
                id: \(noteID(1))
                created: 2024-01-31T00:00:00.000Z
                updated: 2024-02-01T09:00:00.250Z
                notebook: Work
                tags: a, b
                flags: pinned
                attachment: p.png "Cap", image/png, 9 bytes
                \(String(repeating: "-", count: 72))
                Text

                \(String(repeating: "=", count: 72))
                Untitled
                id: \(noteID(2))
                created: 2024-01-31T00:00:00.000Z
                updated: 2024-02-01T09:00:00.250Z
                \(String(repeating: "-", count: 72))


                """)
        #expect(losses == [ExportLoss(.attachmentContents, count: 1)])
    }
}
