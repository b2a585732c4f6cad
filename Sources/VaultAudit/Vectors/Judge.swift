// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Compares what our code made of a test with what the test says.
enum Judge {
    enum Outcome {
        /// With what a refusal was for, if it was one that is counted by itself.
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
        // Where a step is named, another outcome is no refusal: whoever trusts the step would have used it.
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
