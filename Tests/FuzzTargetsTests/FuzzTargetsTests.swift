// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import FuzzTargets
import Testing

/// The small form of `make fuzz`: every input of every corpus, former crashes among them, and changes of each that are
/// the same in every run.
@Suite(.serialized) struct FuzzTargetsTests {
    private static let corpora = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../FuzzTesting/Corpora"
    ).standardized

    private static func corpus(_ name: String) throws -> [[UInt8]] {
        let text = try String(contentsOf: corpora.appending(path: name + ".txt"), encoding: .utf8)
        return text.split(separator: "\n").map { line in
            stride(from: 0, to: line.utf8.count, by: 2).map { at in
                UInt8(line.dropFirst(at).prefix(2), radix: 16) ?? 0
            }
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func H08NoInputOfTheCorpusBreaksItsParser(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try Self.corpus(name)
        #expect(inputs.count > 1, "a parser without a corpus")
        for input in inputs { #expect(target.holds(input), "\(name): \(input.prefix(64))") }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func H08ChangedInputsBreakNoParser(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try Self.corpus(name)
        var changes = InputChanges(seed: 0x5EED)
        let end = ContinuousClock.now + .milliseconds(250)
        while ContinuousClock.now < end {
            let input = changes.changed(inputs)
            if !target.holds(input) { Issue.record("\(name): \(input.map { String(format: "%02x", $0) }.joined())") }
        }
    }

    @Test func everyCorpusHasATargetAndEveryTargetACorpus() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
        #expect(Set(files) == Set(FuzzTarget.all.map { $0.name + ".txt" }))
    }
}

/// A fixed sequence of the changes that fuzzers make: bits, bytes, lengths, parts left out, doubled and exchanged with
/// another input.
struct InputChanges {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func number(below limit: Int) -> Int {
        // xorshift64*: any sequence does, as long as it is the same each time.
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(limit, 1)
    }

    mutating func changed(_ inputs: [[UInt8]]) -> [UInt8] {
        var bytes = inputs[number(below: inputs.count)]
        for _ in 0...number(below: 4) where !bytes.isEmpty {
            let at = number(below: bytes.count)
            let size = number(below: min(16, bytes.count - at)) + 1
            switch number(below: 7) {
            case 0: bytes[at] ^= 1 << number(below: 8)
            case 1: bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][number(below: 5)]
            case 2: bytes.removeSubrange(at..<at + size)
            case 3: bytes.insert(contentsOf: bytes[at..<at + size], at: at)
            case 4: bytes.removeSubrange(at...)
            case 5: for index in at..<at + size { bytes[index] = UInt8(number(below: 256)) }
            default:
                let other = inputs[number(below: inputs.count)]
                bytes.replaceSubrange(at..<at + size, with: other.dropFirst(number(below: other.count)).prefix(32))
            }
        }
        return bytes
    }
}
