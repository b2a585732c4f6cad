// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import PackageDescription

/// Every target is held to the same rules: no warning passes, unsafe code is marked, imports are private unless said.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// What the tests spend most of their time in, in loops over bytes. `VAULT_FAST_TESTS` has it optimised in a debug build
/// too, where VaultCoreTests take 263 s of a processor so, and 390 s else; asserts stay.
let optimised: [SwiftSetting] =
    Context.environment["VAULT_FAST_TESTS"] == nil
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let toml: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { .product(name: $0, package: "swift-nio") }

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}
func busyLibrary(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings + optimised)
}
func program(_ name: String, _ dependencies: [Target.Dependency], linkerSettings: [LinkerSetting] = []) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings, linkerSettings: linkerSettings)
}
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["VaultTesting"], exclude: exclude, swiftSettings: settings)
}

/// A command starts and ends within milliseconds, half of which the dynamic linker took for the symbols of libstdc++
/// (docs/performance.md §6), and a fifth for the thousands that the programs export, which nobody links to.
let ownStandardLibrary: [LinkerSetting] = [
    .unsafeFlags(
        ["-L", Context.packageDirectory + "/.build/static", "-Xlinker", "--no-export-dynamic"],
        .when(configuration: .release))
]

/// For programs that have no standard library of their own build: nobody links to what they export.
let noExports: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
]

/// Where a build's users find help: `VAULT_WEBSITE` and `VAULT_SUPPORT_EMAIL` of the environment in which the manifest
/// is read. A build without them names none: an address that nobody answers is worse than no address.
let contact: [CSetting] = ["VAULT_WEBSITE", "VAULT_SUPPORT_EMAIL"].compactMap { name in
    let safe = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/@+")
    guard let value = Context.environment[name], !value.isEmpty else { return nil }
    guard value.allSatisfy(safe.contains) else { fatalError("\(name) has a character that an address does not have") }
    return .define(name, to: "\"\(value)\"")
}

let package = Package(
    name: "vault",
    products: [
        .library(name: "VaultCore", targets: ["VaultCore"]),
        .library(name: "AgentClient", targets: ["AgentClient", "AgentProtocol", "SecretMemory"]),
        .library(name: "NoteNetwork", targets: ["NoteNetwork", "AgentClient", "AgentProtocol"]),
        .executable(name: "vault", targets: ["vault"]),
        .executable(name: "vault-agent", targets: ["vault-agent"]),
        .executable(name: "vault-parse", targets: ["vault-parse"]),
        .executable(name: "vault-sync", targets: ["vault-sync"]),
        .executable(name: "vault-web", targets: ["vault-web"]),
        .executable(name: "vault-fetch", targets: ["vault-fetch"]),
        .executable(name: "vault-tui", targets: ["vault-tui"]),
        .executable(name: "vault-audit", targets: ["vault-audit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CSystemShims", cSettings: contact),
        .target(name: "CSQLiteShims", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CZeroingFree"),
        .target(name: "CSessionBus"),
        .target(name: "CTerminalPictures"),
        .target(name: "CReedSolomon"),
        library("SessionSignals", ["CSessionBus"]),

        // Texts as exec(2) takes them, for each program that starts another.
        library("ExecArguments"),
        busyLibrary("SecretMemory", ["CSystemShims"]),
        busyLibrary("VaultCrypto", ["COpenSSL", "CArgon2", "SecretMemory", "CSystemShims"]),
        busyLibrary("VaultFormat"),
        busyLibrary("SealedObjects", ["VaultCrypto", "SecretMemory", "CSystemShims"]),
        busyLibrary("SealedSQLite", ["VaultCrypto", "SecretMemory", "CSQLiteShims", "CSystemShims", grdb, grdbSQLite]),
        library("TerminalText"),
        busyLibrary("TextReading", ["TerminalText"]),
        busyLibrary("SearchText", ["Dates", "TextReading", "TerminalText", "VaultFormat"]),
        library("Dates"),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        library("RegexText", ["CPCRE2"]),
        library("ParserProtocol"),
        library("MediaFormats"),
        library("ForeignPrograms"),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CCSV", providers: [.apt(["libcsv-dev"])]),
        library(
            "ForeignFormats",
            ["BookServices", "CCSV", "CExpat", "COpenSSL", "CXML2", "ParserProtocol", "ForeignPrograms", yams]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        library("Sandbox", ["CSeccomp", "CSystemShims"]),
        .target(
            name: "CPictureCodecs",
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png16"), .linkedLibrary("webp"), .linkedLibrary("webpdemux"),
                .linkedLibrary("gif"),
            ]),
        library("JPEGWriting", ["CTurboJPEG"]),
        library("PictureDecoding", ["CPictureCodecs", "JPEGWriting", "ParserProtocol"]),
        .systemLibrary(name: "CCairo", pkgConfig: "cairo-pdf", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        library("ArchiveReading", ["CArchive", "ForeignFormats", "ParserProtocol"]),
        .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        library("RecoveryPage", ["ParserProtocol", "CQRCode", "CSystemShims"]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        library("SketchFormat"),
        library("SketchDrawing", ["SketchFormat", "ParserProtocol", "CCairo", "CTurboJPEG"]),
        .systemLibrary(name: "CGit2", pkgConfig: "libgit2", providers: [.apt(["libgit2-dev"])]),
        .target(name: "COfflineGit2", dependencies: ["CGit2"]),
        library("TextMerge"),
        // Several devices over one remote. Pure: no file, no socket, no key, no clock, no random number of its own.
        library("SyncEngine"),
        // What the agent and vault-sync say to each other; the agent's side of it too.
        library("SyncProtocol", ["ExecArguments", "VaultFormat", "SecretMemory", "CSystemShims"]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CJSON", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"])]),
        // Each kind of remote, in vault-sync alone: libcurl brings thirty libraries with it.
        library(
            "RemoteStores",
            [
                "ExecArguments", "SyncProtocol", "CCurl", "CExpat", "CJSON", "COpenSSL", "Sandbox", "SecretMemory",
                "VaultFormat", "CSystemShims",
            ]),
        // What is asked of book services, and what vault-fetch is told and says. Pure: no socket, no file.
        library("BookServices", ["ParserProtocol"]),
        // One request to a book service, in vault-fetch alone.
        library(
            "BookFetching", ["BookServices", "ParserProtocol", "CCurl", "Sandbox", "SecretMemory", "CSystemShims"]),
        // libgit2, in vault-parse alone: it brings thirteen libraries with it.
        library("GitComparison", ["TextMerge", "CGit2", "COfflineGit2"]),
        .systemLibrary(
            name: "CMarkdown", pkgConfig: "libcmark-gfm",
            providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        library("MarkdownHTML", ["CMarkdown", "ParserProtocol", "TerminalText", "TextReading"]),
        busyLibrary(
            "VaultCore",
            [
                "VaultCrypto", "VaultFormat", "SealedSQLite", "SealedObjects", "SearchText", "TextReading", "TextMerge",
                "RegexText", "SecretMemory", "SyncEngine",
                "CSystemShims", "CReedSolomon",
                grdb, grdbSQLite,
            ]),
        library("AgentProtocol", ["VaultFormat", "SecretMemory", "CSystemShims"]),
        library(
            "VaultAgent",
            [
                "VaultCore", "VaultCrypto", "VaultFormat", "SealedObjects", "AgentProtocol", "SearchText",
                "ExecArguments", "SessionSignals", "TextMerge", "SyncEngine", "SyncProtocol",
                "TextReading", "Dates", "ParserProtocol",
                "SecretMemory", "CSystemShims", "ExportFormats", "ForeignCrypto", "TerminalText",
            ]),
        library(
            "VaultClient",
            [
                "AgentClient", "AgentProtocol", "BookServices", "ExecArguments", "Presentation", "Dates", "VaultFormat",
                "CTerminalPictures",
                "ParserProtocol",
                "WebProtocol",
                "SecretMemory",
                "CSystemShims",
                "TerminalText",
                "TextReading",
                toml,
            ]),
        // An agent from a front end's side: start, unlock and ask it, feed imports and attachments to it. It prints
        // nothing and asks nobody.
        library(
            "AgentClient",
            [
                "AgentProtocol", "BookServices", "ExecArguments", "ForeignPrograms", "ParserProtocol", "VaultFormat",
                "SecretMemory", "CSystemShims", "TerminalText",
            ]),
        // Notes on a person's other devices, for front ends that do not wait.
        library("NoteNetwork", ["AgentClient", "AgentProtocol", "VaultFormat"]),
        // Text, TSV and JSON of what an agent answers. Pure: no file, no socket, no clock of its own.
        library(
            "Presentation",
            ["AgentProtocol", "Dates", "ParserProtocol", "TerminalText", "TextReading", "VaultFormat"]),
        library("VaultManual", ["VaultClient", "AgentProtocol"]),
        library("ExportFormats", ["CSystemShims", "Dates", "ParserProtocol", "VaultFormat"]),
        // Other programs' cryptography, never for our own data.
        library("ForeignCrypto", ["COpenSSL", "VaultCrypto", "SecretMemory"]),
        library(
            "VaultAudit",
            [
                "VaultCore", "VaultCrypto", "VaultFormat", "SealedObjects", "SealedSQLite", "SecretMemory",
                "ForeignCrypto", "CZlib",
            ]),

        program("vault", ["VaultClient"], linkerSettings: ownStandardLibrary),
        program("vault-agent", ["VaultAgent", "CZeroingFree", "CSystemShims"], linkerSettings: ownStandardLibrary),
        program(
            "vault-parse",
            [
                "ArchiveReading", "Sandbox", "ForeignFormats", "ParserProtocol", "MediaFormats", "PictureDecoding",
                "SketchDrawing",
                "RecoveryPage", "GitComparison", "MarkdownHTML", "TextMerge", "BookServices",
                "CSystemShims",
            ], linkerSettings: noExports),
        program("vault-sync", ["RemoteStores", "CZeroingFree", "CSystemShims"], linkerSettings: noExports),
        program("vault-fetch", ["BookFetching", "CZeroingFree", "CSystemShims"], linkerSettings: noExports),
        // The page: its files in the program, a server without files, keys and outgoing connections.
        .target(name: "CWebPage", exclude: ["page"]),
        library("WebProtocol", ["VaultFormat", "CSystemShims"]),
        library(
            "WebServer",
            [
                "WebProtocol", "AgentClient", "AgentProtocol", "Presentation", "Dates", "MarkdownHTML",
                "ParserProtocol", "SketchFormat", "Sandbox", "SecretMemory", "TextReading", "VaultFormat",
                "CSystemShims", "CWebPage", "JPEGWriting",
            ] + nio),
        program(
            "vault-web", ["WebServer", "CZeroingFree", "CSystemShims"], linkerSettings: ownStandardLibrary),
        // Notes on a terminal's screen, in a program of its own: no other command loads ncurses.
        .target(name: "CCurses", linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        library(
            "NoteScreen",
            ["AgentClient", "AgentProtocol", "ParserProtocol", "Presentation", "Dates", "VaultFormat", "CCurses"]),
        program("vault-tui", ["NoteScreen", "CZeroingFree", "CSystemShims"], linkerSettings: ownStandardLibrary),
        // Writes man/ and is never installed.
        program("vault-manual", ["VaultManual"]),
        // Benchmarks only: never installed.
        .executableTarget(
            name: "vault-bench", dependencies: ["VaultCore", "VaultCrypto", "SecretMemory", grdb],
            path: "Benchmarks/vault-bench",
            swiftSettings: settings),
        program("vault-audit", ["VaultAudit", argumentParser]),

        tests("SecretMemoryTests", ["SecretMemory", "CSystemShims"]),
        tests("VaultCryptoTests", ["VaultCrypto", "SecretMemory"]),
        tests(
            "ExportFormatsTests", ["ExportFormats", "ForeignFormats", "ParserProtocol", "MarkdownHTML", "VaultFormat"]),
        tests("ForeignCryptoTests", ["ForeignCrypto", "VaultCrypto", "SecretMemory"]),
        tests("VaultFormatTests", ["VaultFormat"]),
        tests("SealedSQLiteTests", ["SealedSQLite", "VaultCrypto", "SecretMemory", grdb]),
        tests("SearchTextTests", ["SearchText", "TextReading", "TerminalText", "VaultFormat"]),
        tests("RegexTextTests", ["RegexText"]),
        // What must hold of each parser of untrusted bytes, whatever it is given; `make fuzz` runs it without end, the
        // tests over its corpora.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AgentProtocol", "ArchiveReading", "BookServices", "ExportFormats", "ForeignCrypto", "ForeignFormats",
                "ParserProtocol", "GitComparison", "MarkdownHTML",
                "MediaFormats", "PictureDecoding", "TextMerge", "SealedSQLite", "SecretMemory", "SketchDrawing",
                "RemoteStores", "SketchFormat", "SyncProtocol", "VaultAgent",
                "VaultCrypto", "VaultFormat", "WebProtocol", "WebServer", grdb,
            ],
            path: "FuzzTesting/FuzzTargets", swiftSettings: settings),
        tests("FuzzTargetsTests", ["FuzzTargets"]),
        // Test fixtures and programs: never installed.
        .target(name: "VaultTesting", path: "Tests/VaultTesting", swiftSettings: settings),
        .target(name: "CSandboxAttempts", path: "Tests/CSandboxAttempts"),
        .executableTarget(
            name: "sandbox-attempts", dependencies: ["Sandbox", "CSandboxAttempts"],
            path: "Tests/SandboxAttempts",
            swiftSettings: settings),
        .target(name: "CFaults", path: "Tests/CFaults"),
        .executableTarget(
            name: "vault-faults",
            dependencies: [
                "VaultCore", "VaultCrypto", "VaultFormat", "SealedObjects", "SecretMemory", "CSystemShims", "CFaults",
            ],
            path: "Tests/FaultRunner", swiftSettings: settings),
        .target(
            name: "CPictureWriters", path: "Tests/CPictureWriters",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("webp")]),
        .target(
            name: "SyncSimulation", dependencies: ["SyncEngine"], path: "Tests/SyncSimulation",
            swiftSettings: settings),
        .executableTarget(
            name: "sync-simulator", dependencies: ["SyncSimulation", "SyncEngine"], path: "Tests/SyncSimulator",
            swiftSettings: settings),
        // Chance and time are replaced by linking: no other program and no test may link it.
        .target(name: "CSeededMachine", path: "Tests/CSeededMachine"),
        .executableTarget(
            name: "vault-simulator",
            dependencies: [
                "AgentProtocol", "CSeededMachine", "GitComparison", "SecretMemory", "SyncEngine", "SyncProtocol",
                "VaultAgent", "VaultCore", "VaultCrypto", "VaultFormat", grdb,
            ],
            path: "Tests/VaultSimulator", swiftSettings: settings),
        tests("SyncEngineTests", ["SyncEngine", "SyncSimulation"]),
        tests(
            "RemoteStoresTests", ["RemoteStores", "SyncProtocol", "SecretMemory", "CSystemShims"],
            exclude: ["Support/servers.py", "Support/hostile.py", "Support/signed.py"]),
        tests("BookServicesTests", ["BookServices", "ParserProtocol"]),
        tests("SealedObjectsTests", ["SealedObjects", "VaultCrypto", "SecretMemory"]),
        tests("SandboxTests", ["Sandbox"]),
        tests("PictureDecodingTests", ["PictureDecoding", "ParserProtocol", "CPictureWriters"]),
        tests("SketchFormatTests", ["SketchFormat"]),
        tests("SketchDrawingTests", ["SketchDrawing", "SketchFormat", "ParserProtocol", "CCairo", "CTurboJPEG"]),
        tests("RecoveryPageTests", ["RecoveryPage", "ParserProtocol"]),
        tests("MediaFormatsTests", ["MediaFormats"]),
        tests(
            "ForeignFormatsTests",
            [
                "BookServices", "ForeignFormats", "ForeignPrograms", "ParserProtocol", "ArchiveReading",
                "ExportFormats", "VaultFormat",
            ]),
        tests(
            "VaultCoreTests",
            [
                "VaultCore", "GitComparison", "TextMerge", "TextReading", "VaultCrypto", "VaultFormat", "SealedObjects",
                "SealedSQLite", "SyncEngine",
                "SecretMemory", grdb,
            ]),
        tests(
            "VaultClientTests",
            ["VaultClient", "VaultManual", "AgentClient", "AgentProtocol", "SecretMemory", "VaultFormat"]),
        tests("WebServerTests", ["WebServer", "WebProtocol", "MarkdownHTML", "SketchFormat", "CWebPage"]),
        tests("VaultAuditTests", ["VaultAudit", "VaultCrypto"]),
        tests(
            "VaultAgentTests",
            ["VaultAgent", "AgentProtocol", "SyncProtocol", "VaultCore", "SearchText", "TerminalText"]),
        tests(
            "AgentClientTests",
            ["AgentClient", "AgentProtocol", "NoteNetwork", "ParserProtocol", "SecretMemory", "VaultFormat"]),
        tests("PresentationTests", ["Presentation", "AgentProtocol", "Dates", "TerminalText", "VaultClient"]),
        .testTarget(
            name: "SessionSignalsTests", dependencies: ["SessionSignals"], exclude: ["Support/logind.py"],
            swiftSettings: settings),
        tests("TextMergeTests", ["TextMerge", "GitComparison", "COfflineGit2"]),
        tests("TidyTests", []),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "AgentProtocol", "BookServices", "ForeignPrograms", "ParserProtocol", "VaultFormat", "VaultTesting",
                "CSystemShims",
            ],
            exclude: ["Transcripts", "Screens", "Support/sources.py"], swiftSettings: settings),
    ]
)

// It has no main function: the fuzzer's library brings one, and an ordinary build could not link it.
if Context.environment["VAULT_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "vault-fuzz", dependencies: ["FuzzTargets"], path: "FuzzTesting/vault-fuzz", swiftSettings: settings))
    package.products.append(.executable(name: "vault-fuzz", targets: ["vault-fuzz"]))
}

// What is installed, and nothing else: `make build` sets it. Benchmarks, fixtures and tests take as long to build as
// the programs.
if Context.environment["VAULT_PROGRAMS_ONLY"] != nil {
    let others: Set = [
        "VaultManual", "vault-manual", "vault-bench", "FuzzTargets", "vault-fuzz", "CSandboxAttempts",
        "sandbox-attempts", "CFaults",
        "vault-faults", "CPictureWriters", "VaultTesting", "SyncSimulation", "sync-simulator", "CSeededMachine",
        "vault-simulator",
    ]
    package.targets.removeAll { $0.type == .test || others.contains($0.name) }
}

// Only these targets and what they stand on, such as VAULT_TARGETS=RemoteStoresTests,vault-sync: a change to one module
// is tried without building all of the others.
if let wanted = Context.environment["VAULT_TARGETS"] {
    var left = wanted.split(separator: ",").map(String.init)
    var kept: Set<String> = []
    while let name = left.popLast() {
        guard let target = package.targets.first(where: { $0.name == name }), kept.insert(name).inserted else {
            continue
        }
        for case .byNameItem(let dependency, _) in target.dependencies { left.append(dependency) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { product in
        switch product {
        case let library as Product.Library: !library.targets.allSatisfy(kept.contains)
        case let program as Product.Executable: !program.targets.allSatisfy(kept.contains)
        default: false
        }
    }
}
