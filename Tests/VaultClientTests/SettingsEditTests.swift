// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct SettingsEditTests {
    private func set(_ text: String, _ key: SettingKey, _ value: String) -> String {
        var edit = SettingsEdit(text)
        edit.set(key, to: value)
        return edit.text
    }

    @Test(arguments: [
        ("", "[lock]\nidle = \"5m\"\n"),
        ("# mine\n", "# mine\n\n[lock]\nidle = \"5m\"\n"),
        ("[lock]\nidle = \"1h\" # short\nmax = \"2h\"\n", "[lock]\nidle = \"5m\" # short\nmax = \"2h\"\n"),
        ("lock.idle='1h'", "lock.idle= \"5m\""),
        (
            "[lock]\n# idle = \"1h\"\nmax = \"2h\"\n\n[daily]\n",
            "[lock]\n# idle = \"1h\"\nmax = \"2h\"\nidle = \"5m\"\n\n[daily]\n"
        ),
        ("[ \"lock\" ]  # x\n\"idle\" = \"a#b\"#c\n", "[ \"lock\" ]  # x\n\"idle\" = \"5m\"#c\n"),
        ("[lock]\r\nidle = \"1h\"\r\n", "[lock]\r\nidle = \"5m\"\r\n"),
        ("[lock]\r\nmax = \"1h\"\r\n", "[lock]\r\nmax = \"1h\"\r\nidle = \"5m\"\r\n"),
        ("[[lock]]\n", "[[lock]]\n\n[lock]\nidle = \"5m\"\n"),
        ("[lock]", "[lock]\nidle = \"5m\"\n"),
    ])
    func aValueIsReplacedOnItsLineOrAddedToItsTable(_ before: String, _ after: String) {
        #expect(set(before, .lockIdle, "5m") == after)
    }

    @Test(arguments: [
        ("", "page = \"never\"\n"),
        ("# top\n\n[lock]\nidle = \"1h\"\n", "page = \"never\"\n# top\n\n[lock]\nidle = \"1h\"\n"),
        ("color = \"auto\"\n\n# lock\n[lock]\n", "color = \"auto\"\npage = \"never\"\n\n# lock\n[lock]\n"),
        ("[lock]\npage = 1\n", "page = \"never\"\n[lock]\npage = 1\n"),
    ])
    func aSettingWithoutATableStandsBeforeTheFirstOne(_ before: String, _ after: String) {
        #expect(set(before, .page, "never") == after)
    }

    @Test func quotationMarksAndBackslashesAreReadBack() throws {
        let value = #"vim -c "set x='\t'" \\ ü"#
        let text = set("# c\n", .editor, value)
        #expect(try SettingsText.values(Array(text.utf8), path: "/c") == ["editor": .text(value)])
    }

    @Test func aKeyIsTakenAwayWithItsLineOnly() {
        var edit = SettingsEdit("# a\n[lock]\nidle = \"1h\" # b\nmax = \"2h\"\n")
        let wasThere = edit.unset(.lockIdle)
        #expect(wasThere)
        #expect(edit.text == "# a\n[lock]\nmax = \"2h\"\n")
        let wasAnother = edit.unset(.pager)
        #expect(!wasAnother)
    }

    @Test(arguments: ["", "\n", "\n\n", "a", "a\n", "a\n\n", "\r\n", "# ü\n= = =\n[", "x = '''\nidle = 1\n'''"])
    func withoutAChangeEveryByteStays(_ text: String) { #expect(SettingsEdit(text).text == text) }

    @Test func theFileThatAnEditBeginsWithSetsNothing() throws {
        let settings = try SettingsText.parse(Array(ConfigEditing.template.utf8), path: "/c")
        #expect(settings == Settings())
        for key in SettingKey.allCases { #expect(ConfigEditing.template.contains("#\(key.place.name) = ")) }
    }

    @Test func theFileThatAnEditBeginsWithIsRightWithoutItsMarks() throws {
        let lines = ConfigEditing.template.split(separator: "\n").map(String.init).filter { !$0.hasSuffix("= \"\"") }
        let text = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? String($0.dropFirst()) : $0 }.joined(
            separator: "\n")
        let settings = try SettingsText.parse(Array(text.utf8), path: "/c")
        #expect(settings.warnings.isEmpty)
        #expect(settings.texts.count == SettingKey.allCases.count - 7)
    }
}
