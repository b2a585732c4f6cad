// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import RecoveryPage
import Testing

struct CodeTests {
    private func outline(_ modules: QRModules) -> DrawnModules {
        var loops: [[(x: Int, y: Int)]] = []
        ModuleOutline.trace(modules) { x, y, isStart in
            if isStart { loops.append([]) }
            loops[loops.count - 1].append((x, y))
        }
        return DrawnModules(side: modules.side, loops: loops)
    }

    @Test(arguments: ["a", Samples.key, String(repeating: "7", count: 70), Samples.longestKey])
    func theOutlineIsTheBorderOfTheModulesAndNothingElse(text: String) throws {
        let modules = try QRModules(encoding: Array(text.utf8)[...])
        let drawn = outline(modules)
        for y in 0..<modules.side {
            for x in 0..<modules.side { #expect(drawn.isDark(x, y) == modules.isDark(x, y), "\(x), \(y)") }
        }
        // An edge between two dark modules could show as a light line.
        #expect(drawn.everyEdgeIsABorder())
    }

    @Test func theCodeOfAKeyReadsAsTheKey() throws {
        for key in [
            Samples.key, "abcd-efgh-ijkl-mnop-qrst-uvwx-yz23-4567-2345", Samples.key.replacing("m", with: "z"),
            "abcd-efgh-ijkl-mnop-qrst-uvwx",
        ] {
            let modules = try QRModules(encoding: Array(key.utf8)[...])
            guard key.utf8.count > 40 else {
                #expect(modules.side < CodeReader.side)
                continue
            }
            #expect(modules.side == CodeReader.side)
            #expect(CodeReader.read(modules.isDark) == Array(key.utf8))
        }
    }

    @Test func aChangedModuleIsNotReadAsTheSameKey() throws {
        let modules = try QRModules(encoding: Array(Samples.key.utf8)[...])
        // The lower right corner holds the mode.
        #expect(CodeReader.read { x, y in modules.isDark(x, y) != (x == 32 && y == 32) } != Array(Samples.key.utf8))
        #expect(!modules.isDark(-1, 0) && !modules.isDark(0, 33) && modules.isDark(0, 0))
    }

    @Test func aTextThatNoCodeHoldsIsAnError() {
        #expect(throws: RecoveryPageError(.libraryFailure)) { try QRModules(encoding: []) }
        #expect(throws: RecoveryPageError(.libraryFailure)) {
            try QRModules(encoding: [UInt8](repeating: 0x61, count: 4000)[...])
        }
    }
}
