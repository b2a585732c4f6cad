// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc
internal import VaultCrypto

/// `VectorReport` holds the results of all requested files.
public struct VectorReport: Codable, Sendable {
    /// Grows when a member changes its meaning.
    public let schema: Int
    /// Whether the longest tests were left out.
    public let quick: Bool
    public let files: [FileResult]
    public let libraries: LibraryVersions

    /// Whether something ran, and nothing failed.
    public var isSuccess: Bool { !files.isEmpty && files.allSatisfy(\.isSuccess) }

    /// Runs files, and the `.json` files of directories in the order of their names.
    ///
    /// - Parameters:
    ///   - paths: a path that does not exist is a file that fails.
    ///   - quick: leaves out accumulated tests of more than 100,000 iterations.
    public static func make(paths: [String], quick: Bool) -> VectorReport {
        let files = paths.flatMap(vectorFiles).map { FileRun.result(path: $0, quick: quick) }
        return VectorReport(schema: 1, quick: quick, files: files, libraries: .current())
    }

    /// One object without a line feed.
    public var json: String { ReportJSON.encode(self) }

    public var text: String {
        let lines = files.flatMap(Self.lines)
        let passed = files.reduce(0) { $0 + $1.passed }
        let total = files.reduce(0) { $0 + $1.numberOfTests }
        let verdict = isSuccess ? "all that ran passed" : files.isEmpty ? "FAILED: no file of vectors" : "FAILED"
        let summary = [
            "\(files.count) files, \(total) tests, \(passed) passed: \(verdict)",
            "OpenSSL: \(libraries.openSSL)", "Argon2: \(libraries.argon2)",
            "loaded: \(libraries.files.map { PrintableText.escaped($0) }.joined(separator: ", "))",
        ]
        return (lines + summary).joined(separator: "\n")
    }

    private static func lines(_ file: FileResult) -> [String] {
        let counts =
            "tests \(file.numberOfTests)  passed \(file.passed)  failed \(file.failed.count)  skipped \(file.skipped.count)"
        return [PrintableText.escaped(file.path), "  sha256 \(file.sha256)", "  \(counts)"]
            + RefusalCause.allCases.compactMap { cause in
                file.refused[cause.rawValue].map { "  refused \($0) \(cause.words)" }
            }
            + file.problems.map { "  FAILED: \($0)" }
            + file.failed.map { "  FAILED: test \($0.tcId): \($0.reason)" }
            + reasons(file.skipped)
    }

    /// Returns one line for each reason, since a whole file may be skipped for one.
    private static func reasons(_ skipped: [FileResult.Remark]) -> [String] {
        Dictionary(grouping: skipped, by: \.reason).sorted { $0.value[0].tcId < $1.value[0].tcId }.map {
            reason, remarks in
            "  skipped \(remarks.count), from test \(remarks[0].tcId): \(reason)"
        }
    }

    private static func vectorFiles(_ path: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
        return names.filter { $0.hasSuffix(".json") }.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }
}

/// `FileResult` holds the results of one file of vectors.
public struct FileResult: Codable, Sendable {
    /// `Remark` tells of a test that did not come out as its result says, or was left out.
    public struct Remark: Codable, Sendable, Equatable {
        public let tcId: Int
        public let reason: String
    }

    /// As it was given.
    public let path: String
    /// Hexadecimal; empty when the file could not be read.
    public internal(set) var sha256 = ""
    /// Tests that are there.
    public internal(set) var numberOfTests = 0
    public internal(set) var passed = 0
    /// Of those that passed, how many were rightly refused, by `RefusalCause`. A test refused for another reason
    /// is not counted here.
    public internal(set) var refused: [String: Int] = [:]
    public internal(set) var failed: [Remark] = []
    public internal(set) var skipped: [Remark] = []
    /// What is wrong with the file as a whole; empty when nothing is.
    public internal(set) var problems: [String] = []

    /// Whether something ran, all of it passed, and the file holds as many tests as it says.
    public var isSuccess: Bool { passed > 0 && failed.isEmpty && problems.isEmpty }

    init(path: String) { self.path = path }
}

/// `LibraryVersions` says what the results were computed with.
public struct LibraryVersions: Codable, Sendable {
    /// As OpenSSL says at run time.
    public let openSSL: String
    /// Version of the algorithm; the library does not say its release.
    public let argon2: String
    /// File names of the libraries that are loaded, without their directories.
    public let files: [String]

    static func current() -> LibraryVersions {
        LibraryVersions(
            openSSL: CryptoLibraries.openSSL, argon2: "version \(CryptoLibraries.argon2Algorithm) of the algorithm",
            files: loadedFiles(["libcrypto", "libargon2"]))
    }

    /// Reads the memory map of this process: what was mapped, not what was asked for.
    private static func loadedFiles(_ stems: [String]) -> [String] {
        let descriptor = unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let map = DescriptorBytes.read(descriptor, byteCountMax: 1 << 20) ?? []
        let names = String(decoding: map, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.split(separator: "/").last.map { String($0) }
        }
        return Set(names.filter { name in stems.contains { name.hasPrefix($0) } }).sorted()
    }
}
