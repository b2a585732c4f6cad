// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import VaultCrypto

/// Runs a file of vectors through our code.
public enum FileRun {
    /// With `quick`, accumulated tests of more iterations than this are left out.
    public static let quickIterationsMax = 100_000

    /// - Parameter quick: leaves out the longest accumulated tests, and says so.
    public static func result(path: String, quick: Bool = false) -> FileResult {
        guard let content = FileManager.default.contents(atPath: path) else {
            var result = FileResult(path: path)
            result.problems = ["cannot be read"]
            return result
        }
        return result(of: Array(content), path: path, quick: quick)
    }

    /// The same for bytes that are read already.
    public static func result(of bytes: [UInt8], path: String, quick: Bool = false) -> FileResult {
        var result = FileResult(path: path)
        do {
            result.sha256 = Hexadecimal.encode(try Digest.sha256(bytes))
            let file = try VectorFile(parsing: bytes)
            run(file, quick: quick, into: &result)
        } catch {
            result.problems.append((error as? VectorFault)?.reason ?? "cannot be hashed")
        }
        if result.passed + result.failed.count == 0 { result.problems.append("nothing ran") }
        return result
    }

    private static func run(_ file: VectorFile, quick: Bool, into result: inout FileResult) {
        let tests = file.tests
        result.numberOfTests = tests.count
        if tests.count != file.numberOfTests {
            result.problems.append("numberOfTests is \(file.numberOfTests), but \(tests.count) are there")
        }
        if Set(tests.map(\.number)).count != tests.count { result.problems.append("a tcId occurs twice") }
        for test in tests {
            let number = test.number ?? 0
            switch Judge.judge(test, quick: quick) {
            case .passed(let cause):
                result.passed += 1
                if let cause { result.refused[cause.rawValue, default: 0] += 1 }
            case .failed(let reason): result.failed.append(.init(tcId: number, reason: reason))
            case .skipped(let reason): result.skipped.append(.init(tcId: number, reason: reason))
            }
        }
    }
}
