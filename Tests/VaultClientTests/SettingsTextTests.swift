// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing

@testable import VaultClient

struct SettingsTextTests {
    private func parse(_ text: String) throws(ClientFailure) -> Settings {
        try SettingsText.parse(Array(text.utf8), path: "/c/config.toml")
    }

    @Test func withoutAFileTheDefaultsHold() {
        let settings = Settings()
        #expect(settings.lockIdleSeconds == 900)
        #expect(settings.lockMaxSeconds == 8 * 3600)
        #expect(settings.historyKeepAllSeconds == 30 * 86400)
        #expect(settings.historyKeepDailySeconds == 365 * 86400)
        #expect(settings.clipboardClearSeconds == 45)
        #expect(settings.dailyNotebook == "Daily")
        #expect(settings.dailyTemplate == "daily")
        #expect(settings.clipboardTool == .auto)
        #expect(settings.page == .auto)
        #expect(settings.color == nil)
        #expect(settings.editor == nil)
    }

    @Test func whatIsSetHolds() throws {
        let settings = try parse(
            """
            date_style = "iso"   # a comment
            color = "never"
            editor = "vim -n"
            lock.idle = "90s"
            [history]
            keep_daily = "2y"
            keep_all = "6w"
            [clipboard]
            tool = "osc52"
            """)
        #expect(settings.dateStyle == .iso)
        #expect(settings.color == .never)
        #expect(settings.editor == "vim -n")
        #expect(settings.lockIdleSeconds == 90)
        #expect(settings.historyKeepDailySeconds == 730 * 86400)
        #expect(settings.historyKeepAllSeconds == 42 * 86400)
        #expect(settings.clipboardTool == .osc52)
        #expect(settings.warnings.isEmpty)
    }

    @Test(arguments: [
        "color = \"red\"", "color = true", "lock.idle = 15", "lock.idle = \"15\"", "lock.idle = \"0s\"",
        "clipboard.clear = \"2h\"",
        "history.keep_all = \"1h\"", "editor = \"vim 'x\"", "editor = \"\"", "editor = [\"vim\"]",
        "daily.notebook = \" \"",
        "pager = \"less\\u001b[2J\"", "page = 2026-01-01",
    ])
    func aValueThatDoesNotFitNamesItsKeyAndWhatIsExpected(_ text: String) {
        let key = text.prefix { $0 != " " }
        let failure = #expect(throws: ClientFailure.self) { try parse(text) }
        #expect(failure?.outcome.code == .usage)
        #expect(
            failure?.outcome.message.hasPrefix("\(key) in /c/config.toml must be ") == true,
            "\(failure?.outcome.message ?? "")")
        #expect(failure?.outcome.hint == "vault config edit")
    }

    @Test(arguments: [
        ("lock.idel = \"1m\"", "lock.idle"), ("colour = \"never\"", "color"), ("idle = \"1m\"", "lock.idle"),
        ("[clipbord]\nclear = \"9s\"", "clipboard.clear"),
    ])
    func anUnknownKeyIsAWarningThatNamesTheNearest(_ text: String, _ near: String) throws {
        let settings = try parse(text)
        #expect(settings.warnings.count == 1)
        #expect(settings.warnings.first?.contains(near) == true, "\(settings.warnings)")
    }

    @Test func anUnknownKeyCannotDriveTheTerminal() throws {
        let settings = try parse("\"a\\u001b[2J\" = 1")
        #expect(settings.warnings.count == 1)
        #expect(settings.warnings.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test(arguments: [
        "color =", "color = \"auto\"\ncolor = \"auto\"", "[lock", "\u{0}", "a = \"\u{0}\"",
        String(repeating: "[", count: 60_000),
        "a = " + String(repeating: "[", count: 60_000), "[", "[.]", "[[.", " [ =x", "[\n", "[:]",
    ])
    func whatIsNoTOMLIsRefusedWithItsFile(_ text: String) {
        let failure = #expect(throws: ClientFailure.self) { try parse(text) }
        #expect(failure?.outcome.code == .usage)
        #expect(failure?.outcome.message.hasPrefix("/c/config.toml") == true)
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: ClientFailure.self) { try SettingsText.parse([0x61, 0x3D, 0xFF], path: "/c") }
    }

    @Test(
        arguments: [("45s", 45), ("1w", 604_800), ("400d", 34_560_000), ("100y", 3_153_600_000)] as [(String, UInt32)])
    func timesAreRead(_ text: String, _ seconds: UInt32) { #expect(SettingSpan.seconds(text) == seconds) }

    @Test(arguments: ["", "5", "0w", "w", "-1d", "101y", "99999y", "999999999999d", "1m1s", "١d"])
    func whatIsNoTimeIsRefused(_ text: String) { #expect(SettingSpan.seconds(text) == nil) }

    @Test func everyDefaultFitsItsOwnRule() {
        for key in SettingKey.allCases {
            if let standard = key.rule.standard { #expect(key.rule.accepts(standard), "\(key.rawValue)") }
        }
    }

    @Test func theEnvironmentOutranksTheFile() throws {
        let settings = try parse("editor = \"vim\"\npager = \"most\"\ncolor = \"always\"")
        let variables = ["EDITOR": "nano", "PAGER": " ", "NO_COLOR": "1"]
        #expect(SettingSource(.editor, settings) { variables[$0] }.value == "nano")
        #expect(SettingSource(.editor, settings) { variables[$0] }.origin == "$EDITOR")
        #expect(SettingSource(.pager, settings) { variables[$0] }.origin == "config.toml")
        #expect(SettingSource(.color, settings) { variables[$0] }.value == "never")
        #expect(SettingSource(.page, settings) { variables[$0] }.origin == "default")
    }

    @Test func anOptionOutranksTheSettingOfColour() {
        #expect(Terminal.wantsColor(.always, .never, isTerminal: false))
        #expect(!Terminal.wantsColor(.never, .always, isTerminal: true))
        #expect(!Terminal.wantsColor(.auto, .always, isTerminal: false))
    }
}
