// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `make mutate` takes each defence out in turn; its list must fit the sources of today.
struct MutationTests {
    @Test func everyMitigatedThreatHasADefenceThatCanBeTakenOut() throws {
        let said = Pipe()
        let check = Process()
        check.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        check.arguments = ["python3", SourceTree.root.appending(path: "Scripts/mutate.py").path, "--check"]
        check.standardOutput = said
        check.standardError = said
        try check.run()
        let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        check.waitUntilExit()
        #expect(check.terminationStatus == 0, "\(text)")
        #expect(text.contains("removals of"), "\(text)")
    }
}
