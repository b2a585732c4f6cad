// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import Synchronization
internal import TextMerge

/// `ComparisonProcess` carries comparisons to a confined process of their own, which sees numbers and no text
/// (docs/decisions/0023).
///
/// Asking blocks: for a thread of its own.
final class ComparisonProcess: ComparisonCarrier {
    private let parser = ParserConversation(["compare"])
    private let goesOn: () -> Bool
    /// Seconds for all questions of one comparison, since somebody waits for it. The slowest merge found takes 4 s.
    private static let secondsMax = 5.0
    private var deadline: Double?
    private var hasFailed = false

    /// Prepares to carry questions; no process runs yet.
    ///
    /// - Parameter goesOn: asked ten times a second; the process is ended when it says no.
    init(goesOn: @escaping () -> Bool) { self.goesOn = goesOn }

    func ask(_ question: [UInt8]) -> [UInt8]? {
        let now = BootClock.seconds
        let end = deadline ?? now + Self.secondsMax
        deadline = end
        // A process that failed once would be started and waited for again with each of thousands of questions.
        guard !hasFailed, now < end, goesOn() else { return nil }
        let answer = parser.ask(
            question, answerByteCountMax: ComparisonMessage.answerByteCountMax, seconds: end - now, goesOn: goesOn)
        hasFailed = answer == nil
        return answer
    }

    func finish() {
        (deadline, hasFailed) = (nil, false)
        parser.finish()
    }
}

/// `ComparisonTurn` lets a few threads compare at a time. However many clients ask, they take as much memory and as
/// many processors as these few do.
enum ComparisonTurn {
    private static let runningMax = 3
    private static let running = Mutex(0)

    /// Waits for a turn and lends a comparison. Without one, all that differs is one change, or one conflict.
    ///
    /// - Parameter goesOn: asked now and then; once it says no, nothing more is waited for.
    static func wait<Result>(
        _ goesOn: @escaping (UInt64) -> Bool, _ body: (RemoteComparison<ComparisonProcess>) -> Result
    ) -> Result {
        while goesOn(0) {
            let isFree = running.withLock { count in
                guard count < runningMax else { return false }
                count += 1
                return true
            }
            guard !isFree else {
                defer { running.withLock { $0 -= 1 } }
                return body(RemoteComparison(ComparisonProcess { goesOn(0) }))
            }
            usleep(20_000)
        }
        return body(RemoteComparison(ComparisonProcess { false }))
    }
}
