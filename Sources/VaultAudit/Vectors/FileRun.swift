// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import VaultCrypto

/// `FileRun` runs a file of vectors through our code.
public enum FileRun {
    /// Most iterations of an accumulated test with `quick`; longer ones are left out.
    public static let quickIterationsMax = 100_000

    /// Runs the vectors of a file. If it cannot be read, the result reports that as a problem.
    ///
    /// - Parameter quick: leaves out the longest accumulated tests, and says so.
    public static func result(path: String, quick: Bool = false) -> FileResult {
        guard let content = FileManager.default.contents(atPath: path) else {
            var result = FileResult(path: path)
            result.problems = ["cannot be read"]
            return result
        }
        return result(of: Array(content), path: path, quick: quick)
    }

    /// Runs the same for bytes that are read already.
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

/// `Judge` compares what our code made of a test with what the test says.
enum Judge {
    enum Outcome {
        /// With the cause of a refusal, if that cause is counted separately.
        case passed(RefusalCause? = nil)
        case failed(String)
        case skipped(String)
    }

    static func judge(_ test: VectorTest, quick: Bool) -> Outcome {
        guard test.file.explainsFlags(of: test) else { return .failed("a flag is not explained in notes") }
        guard let runner = Runners.runner(for: test.type) else {
            return .skipped("no test of ours is called \"\(PrintableText.escaped(test.type))\"")
        }
        if quick, let iterations = test.fields["iterations"]?.integer, test.type == "AccumulatedTest",
            iterations > FileRun.quickIterationsMax
        {
            return .skipped("--quick: \(iterations) iterations")
        }
        do {
            let verdict: Verdict
            do { verdict = try runner(test) } catch { verdict = try Verdict(error) }
            return try compare(verdict, with: test)
        } catch let fault as VectorFault {
            return .failed(fault.reason)
        } catch {
            return .failed("could not be run: there is not enough memory")
        }
    }

    private static func compare(_ verdict: Verdict, with test: VectorTest) throws -> Outcome {
        let expected = try test.demanded
        switch (expected, verdict) {
        case (_, .skipped(let why)): return .skipped(why)
        case ("valid", .accepted): return .passed()
        case ("invalid", .refused(let stage, let error, let cause)):
            return try atTheRightStep(stage, error, cause, test)
        // Where a step is named, another outcome is no refusal: a reader that trusts the step would have used it.
        case ("invalid", .differs): return test.has("stage") ? .failed("not refused, but \(verdict.words)") : .passed()
        case ("acceptable", _): return .skipped("either outcome is allowed")
        case ("valid", _), ("invalid", _): return .failed("\(expected), but \(verdict.words)")
        default: return .failed("its result is not one that we know")
        }
    }

    private static func atTheRightStep(_ stage: String?, _ error: String?, _ cause: RefusalCause?, _ test: VectorTest)
        throws -> Outcome
    {
        guard test.has("stage") else { return .passed(cause) }
        let (wantedStage, wantedError) = (try test.text("stage"), test.has("error") ? try test.text("error") : nil)
        if stage == wantedStage, error == wantedError { return .passed(cause) }
        let wanted = Verdict.refused(stage: wantedStage, error: wantedError).words
        return .failed("\(Verdict.refused(stage: stage, error: error).words), not \(PrintableText.escaped(wanted))")
    }
}
