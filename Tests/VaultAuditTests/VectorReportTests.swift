// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

@testable import VaultAudit

struct VectorReportTests {
    private var padme: String { "\(VectorFolder.path)/padme.json" }

    @Test func aReportOfRightFilesIsASuccess() throws {
        let report = VectorReport.make(paths: [padme], quick: true)
        #expect(report.isSuccess)
        #expect(report.text.contains("1 files, 373 tests, 373 passed: all that ran passed"))
        #expect(report.text.contains(report.files[0].sha256))
    }

    @Test func noFileIsAFailure() {
        #expect(!VectorReport.make(paths: [], quick: true).isSuccess)
    }

    @Test func aFileThatIsMissingIsAFailureEvenBesideAGoodOne() {
        let report = VectorReport.make(paths: [padme, "\(VectorFolder.path)/missing.json"], quick: true)
        #expect(!report.isSuccess)
        #expect(report.text.contains("cannot be read"))
    }

    @Test func theLibrariesAreNamed() {
        let libraries = LibraryVersions.current()
        #expect(libraries.openSSL.hasPrefix("OpenSSL 3."))
        #expect(libraries.argon2.contains("0x13"))
        #expect(libraries.files.contains { $0.hasPrefix("libargon2.so") })
        #expect(libraries.files.contains { $0.hasPrefix("libcrypto.so") })
    }

    @Test func theJSONCanBeReadBack() throws {
        let report = VectorReport.make(paths: [padme], quick: true)
        let read = try JSONDecoder().decode(VectorReport.self, from: Data(report.json.utf8))
        #expect(read.schema == 1 && read.files.first?.passed == 373)
        #expect(!report.json.contains("\n"))
    }
}
