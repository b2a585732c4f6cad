// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import Glibc
import Testing
import VaultTesting

@testable import VaultClient

struct ClipboardTests {
    private func choose(_ choice: ClipboardChoice, _ variables: [String: String], _ programs: Set<String>)
        throws(ClientFailure) -> ClipboardTool
    {
        try ClipboardTool.choose(
            choice, variable: { variables[$0] }, find: { programs.contains($0) ? "/bin/" + $0 : nil })
    }

    @Test func theDesktopDecides() throws {
        let all: Set = ["wl-copy", "wl-paste", "xclip"]
        let wayland = ClipboardTool.wayland(copy: "/bin/wl-copy", paste: "/bin/wl-paste")
        #expect(try choose(.auto, ["WAYLAND_DISPLAY": "w", "DISPLAY": ":0"], all) == wayland)
        #expect(try choose(.auto, ["DISPLAY": ":0"], all) == .x11("/bin/xclip"))
        #expect(try choose(.auto, ["WAYLAND_DISPLAY": "w", "DISPLAY": ":0"], ["xclip"]) == .x11("/bin/xclip"))
        #expect(try choose(.wlCopy, [:], all) == wayland)
    }

    @Test(arguments: [[:], ["WAYLAND_DISPLAY": ""], ["DISPLAY": ":0"], ["TERM": "xterm", "SSH_TTY": "/dev/pts/1"]])
    func theTerminalIsNeverChosenByItself(_ variables: [String: String]) {
        #expect(throws: ClientFailure.self) { try choose(.auto, variables, []) }
    }

    @Test func theTerminalIsChosenWhenItIsAskedFor() throws { #expect(try choose(.osc52, [:], []) == .terminal) }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func theTerminalsSequenceIsExact(_ text: String, _ encoded: String) {
        #expect(OSC52.sequence(Array(text.utf8)) == Array("\u{1B}]52;c;\(encoded)\u{07}".utf8))
    }

    @Test func allBytesAreEncoded() { #expect(OSC52.base64([0xFB, 0xFF, 0xBF]) == Array("+/+/".utf8)) }

    @Test func aSharedFileIsNewAndOursAlone() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/out.txt"
        try NewFile.write(Array("text".utf8), to: path)
        var status = stat()
        unsafe stat(path, &status)
        #expect(status.st_mode & 0o777 == 0o600 && status.st_size == 4)
        #expect(throws: ClientFailure.self) { try NewFile.write([0x78], to: path) }
        unsafe stat(path, &status)
        #expect(status.st_size == 4)
        folder.link("link", to: folder.path + "/elsewhere")
        #expect(throws: ClientFailure.self) { try NewFile.checkIsNew(folder.path + "/link") }
        #expect(throws: ClientFailure.self) { try NewFile.write([0x78], to: folder.path + "/link") }
        #expect(unsafe access(folder.path + "/elsewhere", F_OK) != 0)
    }
}
