// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Dates
import Testing

@testable import Presentation

/// What a person reads of devices: any device may have named any other one, so names are shown with care.
struct DevicePagesTests {
    private func shown<Asked: Presented>(_ operation: Asked, _ reply: Asked.Reply, isTerminal: Bool) -> String {
        var style = PageStyle(clock: RenderingClock(now: 0) { _ in 0 })
        style.isTerminal = isTerminal
        var page = Page(style)
        operation.present(reply, on: &page)
        return page.pieces.map { piece in
            switch piece {
            case .output(let bytes), .talk(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }.joined()
    }

    private func list() -> DeviceList {
        var row = DeviceRow()
        (row.device, row.name, row.system) = (String(repeating: "ab", count: 16), "evil\u{1B}[2J\tname\n", "a\nb")
        (row.heard, row.isDormant) = (1, true)
        var chain = DeviceChain()
        (chain.hasRead, chain.sent) = (3, 5)
        row.chains = [chain]
        var list = DeviceList()
        list.devices = [row]
        return list
    }

    @Test(arguments: [false, true]) func aNameIsOneLineWithoutControls(isTerminal: Bool) {
        let renamed = shown(RenameDevice(), list(), isTerminal: isTerminal)
        for text in [shown(ListDevices(), list(), isTerminal: isTerminal), renamed] {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }, "\(text)")
        }
        let lines = shown(ListDevices(), list(), isTerminal: isTerminal).split(separator: "\n")
        #expect(lines.count == (isTerminal ? 3 : 1), "\(lines)")
        #expect(isTerminal || lines[0].split(separator: "\t", omittingEmptySubsequences: false).count == 6)
    }

    @Test func aDormantDeviceIsAskedAbout() {
        let text = shown(ListDevices(), list(), isTerminal: true)
        #expect(text.contains("dormant") && text.contains("vault device retire ababab"))
        #expect(text.contains("had read all but 2 parts at last contact"))
    }
}
