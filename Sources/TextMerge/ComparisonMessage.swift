// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ComparisonMessage` holds a question of a `TokenComparison` and its answer as they pass through a pipe. All numbers
/// are UInt32, big-endian.
///
/// ```
/// question   UInt8 kind (1 changes, 2 merge) | a count for each list | the lists: old, new, or base, ours, theirs
/// answer     UInt8 kind (0 failed, 1 changes, 2 merged) | count | for each change: old start, old end,
///            new start, new end;
///            for each line of a merge: its token, or 0xFFFFFFFF ours, 0xFFFFFFFE theirs, 0xFFFFFFFD end
/// ```
public enum ComparisonMessage {
    /// The longest question, in bytes: three texts of as many lines as are compared.
    public static let questionByteCountMax = 13 + 3 * 4 * TokenizedTexts.comparedCountMax
    /// The longest answer, in bytes: a merge of two texts that have nothing in common, each line of which is a
    /// conflict.
    public static let answerByteCountMax = 5 + 4 * 4 * 2 * TokenizedTexts.comparedCountMax

    static func question(changesFrom old: [UInt32], to new: [UInt32]) -> [UInt8] { encoded(kind: 1, [old, new]) }

    static func question(merging base: [UInt32], _ ours: [UInt32], _ theirs: [UInt32]) -> [UInt8] {
        encoded(kind: 2, [base, ours, theirs])
    }

    /// Answers a question that another process asked.
    ///
    /// - Returns: nil when it is not a question.
    public static func answer(_ question: [UInt8], by comparison: some TokenComparison) -> [UInt8]? {
        guard let kind = question.first, kind == 1 || kind == 2 else { return nil }
        let listCount = Int(kind) + 1
        guard let numbers = numbers(question.dropFirst()), numbers.count >= listCount else { return nil }
        let counts = numbers[..<listCount].map(Int.init)
        guard counts.reduce(listCount, +) == numbers.count else { return nil }
        var start = listCount
        let lists = counts.map { count in
            defer { start += count }
            return Array(numbers[start..<(start + count)])
        }
        if kind == 1 { return encoded(comparison.changes(old: lists[0], new: lists[1])) }
        return encoded(comparison.merge(base: lists[0], ours: lists[1], theirs: lists[2]))
    }

    private static func encoded(_ changes: [TokenChange]?) -> [UInt8] {
        guard let changes else { return [0] }
        let numbers = changes.flatMap { [$0.old.lowerBound, $0.old.upperBound, $0.new.lowerBound, $0.new.upperBound] }
        return bytes(kind: 1, [UInt32(changes.count)] + numbers.map { UInt32($0) })
    }

    private static func encoded(_ merged: [MergeElement]?) -> [UInt8] {
        guard let merged else { return [0] }
        let numbers = merged.map { element in
            switch element {
            case .token(let number): number
            case .ours: UInt32.max
            case .theirs: UInt32.max - 1
            case .end: UInt32.max - 2
            }
        }
        return bytes(kind: 2, [UInt32(numbers.count)] + numbers)
    }

    /// Reads the changes out of an answer; nil for a failure and for anything that is not such an answer.
    static func changes(_ answer: [UInt8]) -> [TokenChange]? {
        guard answer.first == 1, let numbers = numbers(answer.dropFirst()), let count = numbers.first,
            numbers.count - 1 == Int(count) * 4
        else { return nil }
        var changes: [TokenChange] = []
        for at in stride(from: 1, to: numbers.count, by: 4) {
            guard numbers[at] <= numbers[at + 1], numbers[at + 2] <= numbers[at + 3] else { return nil }
            changes.append(
                TokenChange(
                    old: Int(numbers[at])..<Int(numbers[at + 1]), new: Int(numbers[at + 2])..<Int(numbers[at + 3])))
        }
        return changes
    }

    /// Reads the merged elements out of an answer; nil for a failure and for anything that is not such an answer.
    static func merged(_ answer: [UInt8]) -> [MergeElement]? {
        guard answer.first == 2, let numbers = numbers(answer.dropFirst()), let count = numbers.first,
            numbers.count - 1 == Int(count)
        else { return nil }
        return numbers.dropFirst().map { number in
            switch number {
            case UInt32.max: .ours
            case UInt32.max - 1: .theirs
            case UInt32.max - 2: .end
            case let token: .token(token)
            }
        }
    }

    private static func encoded(kind: UInt8, _ lists: [[UInt32]]) -> [UInt8] {
        bytes(kind: kind, lists.map { UInt32($0.count) } + lists.joined())
    }

    private static func bytes(kind: UInt8, _ numbers: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = [kind]
        bytes.reserveCapacity(1 + 4 * numbers.count)
        for number in numbers {
            for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return bytes
    }

    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [UInt32]? {
        guard bytes.count.isMultiple(of: 4) else { return nil }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { at in
            bytes[at..<(at + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
    }
}

/// `RemoteComparison` asks another process, through what carries a question there and its answer back.
public struct RemoteComparison<Carrier: ComparisonCarrier>: TokenComparison {
    private let carrier: Carrier

    public init(_ carrier: Carrier) { self.carrier = carrier }

    public func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]? {
        carrier.ask(ComparisonMessage.question(changesFrom: old, to: new)).flatMap(ComparisonMessage.changes)
    }

    public func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]? {
        carrier.ask(ComparisonMessage.question(merging: base, ours, theirs)).flatMap(ComparisonMessage.merged)
    }

    public func finish() { carrier.finish() }
}

/// A `ComparisonCarrier` carries a question to the process that compares, and its answer back.
public protocol ComparisonCarrier {
    /// Carries a question over, and returns the answer; nil when there is none.
    func ask(_ question: [UInt8]) -> [UInt8]?
    func finish()
}
