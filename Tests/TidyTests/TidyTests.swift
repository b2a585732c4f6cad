// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Rules about the sources that a compiler does not check; each test is one of them.
struct TidyTests {
    private let swift = try! SourceTree.files("Sources", endings: [".swift"])

    @Test func everySourceFileSaysItsLicence() throws {
        for file in try SourceTree.files("Sources", endings: [".swift", ".c", ".h"])
            + SourceTree.files("Tests", endings: [".swift"])
        {
            #expect(file.text.hasPrefix("// SPDX-License-Identifier: Apache-2.0\n"), "\(file.path)")
        }
    }

    @Test func onlyVaultCryptoSeesTheCryptographicLibraries() {
        for file in swift where file.module != "VaultCrypto" {
            // Other programs' files need primitives that our own data never does: age's, and the MD5 by which Evernote
            // calls a file.
            // Dropbox calls contents by a hash, which protects nothing: docs/decisions/0068.
            #expect(
                ["ForeignCrypto", "ForeignFormats"].contains(file.module) || file.path.hasSuffix("/ContentHash.swift")
                    || !file.code.contains { $0.contains("import COpenSSL") }, "\(file.path)")
            #expect(!file.code.contains { $0.contains("import CArgon2") }, "\(file.path)")
        }
    }

    @Test func noPathOfAVaultSkipsTheFloorOfCosts() {
        for file in swift where !["VaultCrypto", "VaultAudit"].contains(file.module) {
            #expect(
                !file.code.contains { $0.contains("insecureDerive") || $0.contains("insecureVerify") }, "\(file.path)")
        }
    }

    @Test func unsafeCodeStaysWhereItIsNeeded() {
        let modules: Set = [
            "VaultCrypto", "SecretMemory", "SealedSQLite", "AgentClient", "AgentProtocol", "VaultAgent", "VaultCore",
            "VaultClient", "vault-agent",
            "vault-parse",
            "VaultAudit", "SessionSignals", "TextMerge", "RegexText", "SealedObjects", "Sandbox", "PictureDecoding",
            "JPEGWriting", "SketchDrawing",
            "RecoveryPage", "ForeignCrypto", "ForeignFormats", "ArchiveReading", "ExportFormats", "GitComparison",
            "MarkdownHTML", "SyncProtocol", "RemoteStores", "vault-sync", "WebProtocol", "WebServer", "vault-web",
            "BookFetching", "vault-fetch", "ExecArguments", "NoteScreen", "vault-tui",
        ]
        for file in swift where !modules.contains(file.module) {
            #expect(!file.code.contains { $0.contains("unsafe ") }, "\(file.path)")
        }
    }

    /// Files of others, headers of pictures among them, are parsed where no key and no file is in reach.
    @Test func neitherClientNorAgentParsesFilesOfOthers() throws {
        let parsers = [
            "MediaFormats", "ForeignFormats", "ArchiveReading", "PictureDecoding", "SketchFormat", "SketchDrawing",
            "MarkdownHTML", "GitComparison", "RemoteStores", "BookFetching",
        ]
        let outside: Set = [
            "AgentClient", "VaultClient", "VaultAgent", "vault", "vault-agent", "VaultCore", "AgentProtocol",
        ]
        for file in swift where outside.contains(file.module) {
            for parser in parsers {
                #expect(!file.code.contains { $0.hasSuffix("import \(parser)") }, "\(file.path) imports \(parser)")
            }
        }
        let package = try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
        for module in ["AgentClient", "VaultClient", "VaultAgent", "VaultCore"] {
            let begin = try #require(package.range(of: "\"\(module)\",\n            ["), "\(module)")
            let declaration = package[begin.upperBound...].prefix { $0 != "]" }
            for parser in parsers { #expect(!declaration.contains("\"\(parser)\""), "\(module) links \(parser)") }
        }
    }

    /// The network is spoken to where no key and no vault is.
    @Test func X62OnlyTheStoresAndFetchingSeeTheNetworksLibrary() {
        for file in swift where !["RemoteStores", "BookFetching"].contains(file.module) {
            #expect(!file.code.contains { $0.contains("import CCurl") }, "\(file.path)")
        }
        let apart: Set = [
            "RemoteStores", "SyncProtocol", "vault-sync", "BookServices", "BookFetching", "vault-fetch",
        ]
        for file in swift where apart.contains(file.module) && !file.path.hasSuffix("/ContentHash.swift") {
            for module in ["VaultCrypto", "VaultCore", "SealedObjects", "SealedSQLite", "COpenSSL"] {
                #expect(!file.code.contains { $0.hasSuffix("import \(module)") }, "\(file.path) imports \(module)")
            }
        }
    }

    /// A web page stands on it as the command line does: whoever prints or asks is the front end.
    @Test func theAgentsClientPrintsNothingAndAsksNobody() throws {
        let files = swift.filter { $0.module == "AgentClient" }
        #expect(files.count > 20)
        let words = [
            "print(", "debugPrint(", "dump(", "putchar", "puts(", "printf(", "stdout", "stderr", "STDOUT", "STDERR",
            "FileHandle", "perror(",
            "syslog(",
            "write(1,", "write(2,", "to: 1", "to: 2", "PasswordReader", "/dev/tty", "isatty", "ttyname", "readLine(",
        ]
        for file in files {
            for word in words {
                #expect(!file.code.contains { $0.contains(word) }, "\(file.path): \(word)")
            }
            for module in ["ArgumentParser", "TOMLKit", "Presentation", "VaultClient"] {
                #expect(!file.code.contains { $0.hasSuffix("import \(module)") }, "\(file.path) imports \(module)")
            }
        }
        let package = try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
        let begin = try #require(package.range(of: "\"AgentClient\",\n            ["))
        let declaration = package[begin.upperBound...].prefix { $0 != "]" }
        for word in ["argumentParser", "toml", "Presentation", "VaultClient"] {
            #expect(!declaration.contains(word), "AgentClient depends on \(word)")
        }
    }

    @Test func nothingIsLeftUnfinished() {
        for file in swift {
            for word in ["TODO", "FIXME", "XXX", "HACK", "unimplemented"] {
                #expect(!file.text.contains(word), "\(file.path): \(word)")
            }
        }
    }

    @Test func nothingThatReadsAPasswordUsesReadLine() {
        for file in swift { #expect(!file.code.contains { $0.contains("readLine(") }, "\(file.path)") }
    }

    @Test func noProgramIsFoundThroughPath() {
        for file in swift {
            #expect(
                !file.code.contains { $0.contains("posix_spawnp") || $0.contains("execvp") || $0.contains("system(") },
                "\(file.path)")
        }
    }

    /// Text that cannot be broken may be longer: in quotation marks, and layouts with `|`.
    @Test func linesHaveAtMost120Columns() {
        for file in swift {
            var isInText = false
            for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let isLong =
                    line.utf8.count > 120 && line.count > 120 && !isInText && !line.contains { "\"|─".contains($0) }
                if isLong { Issue.record("\(file.path):\(index + 1)") }
                guard line.utf8.contains(0x22) else { continue }
                if line.components(separatedBy: "\"\"\"").count.isMultiple(of: 2) { isInText.toggle() }
            }
        }
    }

    /// Tables, fenced and indented code, and the targets of links may be longer.
    @Test func linesOfProseHaveAtMost120Columns() throws {
        let top = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path).filter {
            $0.hasSuffix(".md")
        }
        let pages =
            try top.map { name in
                let text = try String(contentsOf: SourceTree.root.appending(path: name), encoding: .utf8)
                return SourceTree.File(path: name, text: text)
            } + ["docs", "Benchmarks", "ThreatModel", "Vectors"].flatMap { try SourceTree.files($0, endings: [".md"]) }
        #expect(pages.count > 50)
        for page in pages {
            var isFenced = false
            for (index, line) in page.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let text = line.drop { $0 == " " }
                if text.hasPrefix("```") { isFenced.toggle() }
                if isFenced || text.hasPrefix("|") || line.hasPrefix("    ") { continue }
                let shown = line.replacing(/\]\([^)]*\)/, with: "]()")
                #expect(shown.count <= 120, "\(page.path):\(index + 1)")
            }
            #expect(!isFenced, "\(page.path): a fence has no end")
        }
    }

    @Test func filesStayReadable() {
        for file in swift {
            let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(count <= 300, "\(file.path) has \(count) lines: would it be plainer as two?")
        }
    }
}
