// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

/// What may run when it is opened is told by name and by content.
struct RunnableKindTests {
    @Test(arguments: [
        ("page.html", ""), ("PAGE.HTM", ""), ("x.desktop", ""), ("tool.JAR", ""), ("invoice.pdf.exe", ""),
        ("run.sh", ""), ("a.svgz", ""),
        ("report.docm", ""), ("notes", "#!/bin/sh\n"), ("photo.jpg", "\u{7F}ELF"), ("photo.png", "MZ"),
        ("text.txt", "  <!DOCTYPE html><p>"),
        ("text", "\n[Desktop Entry]\nExec=sh"), ("a.svg", "<svg><script>x</script></svg>"),
        ("a.xml", "<svg onload='x()'/>"),
        ("a.svg", "<svg><a href='JavaScript:x'/></svg>"), ("page.html.gz", ""), ("x.desktop ", ""),
    ]) func whatRunsIsKnown(name: String, content: String) {
        #expect(RunnableKind.of(name: name, Array(content.utf8), isWhole: true) != nil)
    }

    @Test(arguments: [
        ("photo.jpg", "\u{FF}Ø"), ("notes.txt", "html is a language"), ("a.svg", "<svg><path d='M0 0'/></svg>"),
        ("paper.pdf", "%PDF-1.7"), ("song.ogg", "OggS"),
        ("html", "plain words"), ("", ""), ("a.zip", "PK"),
    ]) func whatIsShownIsNotAskedAbout(name: String, content: String) {
        #expect(RunnableKind.of(name: name, Array(content.utf8), isWhole: true) == nil)
    }

    @Test func aPictureThatIsTooLongToLookThroughIsAskedAbout() {
        #expect(RunnableKind.of(name: "a.svg", Array("<svg>".utf8), isWhole: false) != nil)
    }
}
