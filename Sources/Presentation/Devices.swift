// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText
internal import VaultFormat

// The vault's devices: what they are called, when they were heard of, how far they have read.

extension ListDevices: Presented {
    public func present(_ reply: DeviceList, on page: inout Page) {
        if page.style.json {
            return page.json(.answer([("devices", .array(reply.devices.map { .device($0) }))]))
        }
        guard page.style.isTerminal else {
            for device in reply.devices {
                page.tabbed([
                    device.lastCharacters, device.name, device.system, device.word, page.moment(device.heard),
                    device.readingInShort,
                ])
            }
            return
        }
        for device in reply.devices { page.output(device.line(page)) }
        for device in reply.devices where device.isDormant {
            page.talk(
                "vault: note: \(device.shownName) was silent for 180 days; remotes still keep what it has not read")
            page.hint("vault device retire \(device.lastCharacters)")
        }
    }
}

extension RenameDevice: Presented {
    public func present(_ reply: DeviceList, on page: inout Page) {
        if page.style.json { return page.json(.answer([("devices", .array(reply.devices.map { .device($0) }))])) }
        for device in reply.devices { page.output("\(device.lastCharacters) is called \(device.shownName)\n") }
    }
}

extension RetireDevice: Presented {
    public func present(_ reply: DeviceList, on page: inout Page) {
        if page.style.json { return page.json(.answer([("devices", .array(reply.devices.map { .device($0) }))])) }
        for device in reply.devices { page.output("retired \(device.shownName)\n") }
        page.talk(
            "vault: note: nothing is kept for it now. It can still read and write with the password that it knows: "
                + "if it was lost or stolen, vault device revoke")
    }
}

extension PairDevice: Presented {
    public func present(_ reply: PairedState, on page: inout Page) {
        guard let code = try? PairingCode(parsing: reply.code) else { return }
        let groups = PairingText.groups(of: code)
        if page.style.json {
            return page.json(
                .answer([
                    ("code", .string(groups.joined(separator: "-"))), ("remote", .string(reply.remote)),
                    ("vault", .string(hexadecimal(code.vault))), ("epoch", .count(UInt64(code.point.epoch))),
                    ("headerCounter", .count(code.headerCounter)), ("device", .string(code.point.device.hex)),
                    ("number", .count(code.point.number)),
                ]))
        }
        // Six groups are as much as a person reads at once, and fit on a narrow screen.
        for at in stride(from: 0, to: groups.count, by: 6) {
            page.output(groups[at..<min(at + 6, groups.count)].joined(separator: " ") + "\n")
        }
        page.talk(
            "vault: note: the code names this vault, its remote and the state there now; it opens nothing, and expires "
                + "when the vault's key is changed")
        page.hint("vault clone --code on the new device, and the vault's password")
    }
}

extension DeviceRow {
    /// The last six digits of its identifier, by which commands take it.
    fileprivate var lastCharacters: String { String(device.suffix(6)) }

    fileprivate var shownName: String {
        name.isEmpty ? "device \(lastCharacters)" : SafeText.singleLine(name)
    }

    /// What it is, in one word.
    fileprivate var word: String {
        if isThis { return "this" }
        if isRetired { return "retired" }
        return isDormant ? "dormant" : "active"
    }

    /// The segments of this device that it has read, of all that were sent.
    fileprivate var readingInShort: String {
        isThis ? "" : chains.map { "\($0.hasRead)/\($0.sent)" }.joined(separator: " ")
    }

    private var reading: String {
        guard !isThis, !isRetired, !chains.isEmpty else { return "" }
        let behind = chains.reduce(UInt64(0)) { $0 + ($1.sent - min($1.hasRead, $1.sent)) }
        guard behind > 0 else { return "has read all" }
        // It says so when it has something to say: it may have read more since.
        return "had read all but \(Quantity.counted(Int(clamping: behind), "part")) at last contact"
    }

    fileprivate func line(_ page: Page) -> String {
        let when = heard == 0 ? "not heard from yet" : "last heard from \(page.moment(heard))"
        let parts = [
            system.isEmpty ? "" : SafeText.singleLine(system), isThis ? "this one" : when, reading,
            isRetired ? "retired" : isDormant ? "dormant" : "",
        ]
        return "\(lastCharacters)  \(name.isEmpty ? "(no name)" : SafeText.singleLine(name))  "
            + parts.filter { !$0.isEmpty }.joined(separator: "; ") + "\n"
    }
}

extension JSONText {
    fileprivate static func device(_ device: DeviceRow) -> JSONText {
        .object([
            ("device", .string(device.device)), ("name", device.name.isEmpty ? .null : .string(device.name)),
            ("system", device.system.isEmpty ? .null : .string(device.system)), ("this", .bool(device.isThis)),
            ("heard", device.heard == 0 ? .null : .date(device.heard)), ("retired", .bool(device.isRetired)),
            ("dormant", .bool(device.isDormant)),
            (
                "remotes",
                .array(
                    device.chains.map { chain in
                        .object([
                            ("remote", .string(chain.remote)), ("device", .string(chain.chain)),
                            ("number", .count(chain.number)), ("hasRead", .count(chain.hasRead)),
                            ("sent", .count(chain.sent)), ("retired", .bool(chain.isRetired)),
                        ])
                    })
            ),
        ])
    }
}
