// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing
import VaultTesting

@testable import VaultClient

/// Makes lines from what is meant.
extension CommandLineGrammarTests {
    static func line(of subject: Subject, _ random: inout SeededGenerator) -> Line {
        var line = Line()
        var pieces: [[String]] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if Int.random(in: 0..<5, using: &random) == 0 {
                pieces.append(cluster(subject, &line, &random))
            } else {
                let option = subject.options.randomElement(using: &random)!
                pieces.append(spelled(option, &line, &random))
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 { pieces.append(mistake(subject, &line, &random)) }
        // Options keep their order: of two that say different things the last one counts.
        for _ in 0..<(subject.leastWords + Int.random(in: 0...2, using: &random)) {
            let place = Int.random(in: 0...pieces.count, using: &random)
            pieces.insert([word(subject, &random)], at: place)
        }
        line.words = pieces.filter { $0.count == 1 && isWord($0[0], subject) }.map { $0[0] }
        line.typed = pieces.flatMap { $0 }
        if Bool.random(using: &random) {
            let rest = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                ["-x", "--tag", "--", "-al", "plain", "-", ""].randomElement(using: &random)!
            }
            line.typed += ["--"] + rest
            line.words += rest
        }
        return line
    }

    private static let plain = ["milk", "two words", "", "-", "päck", "k7", "a=b", "@1", "日本", "x-y"]
    private static let terms = [
        "-coffee", "-tag:work", "-Ünï", "-\"two words\"", "-title:a", "-created:>2026", "-2026", "-coffee2",
    ]

    private static func word(_ subject: Subject, _ random: inout SeededGenerator) -> String {
        subject.takesTerms && Int.random(in: 0..<3, using: &random) == 0
            ? terms.randomElement(using: &random)! : plain.randomElement(using: &random)!
    }

    private static func isWord(_ text: String, _ subject: Subject) -> Bool {
        plain.contains(text) || (subject.takesTerms && terms.contains(text))
    }

    /// One option in one of its forms.
    private static func spelled(_ option: Option, _ line: inout Line, _ random: inout SeededGenerator) -> [String] {
        guard !option.values.isEmpty else {
            line.given.append((option.name, "true"))
            guard let letter = option.letter, Bool.random(using: &random) else { return ["--" + option.name] }
            return ["-\(letter)"]
        }
        let value = option.values.randomElement(using: &random)!
        line.given.append((option.name, value))
        return valued(option, value, &random)
    }

    private static func valued(_ option: Option, _ value: String, _ random: inout SeededGenerator) -> [String] {
        let mayStandApart = !value.hasPrefix("-") || value == "-"
        guard let letter = option.letter, Bool.random(using: &random) else {
            return mayStandApart && Bool.random(using: &random)
                ? ["--" + option.name, value] : ["--\(option.name)=\(value)"]
        }
        let mayBeAttached = !value.isEmpty && !value.hasPrefix("=")
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where mayStandApart: return ["-\(letter)", value]
        case 1 where mayBeAttached: return ["-\(letter)\(value)"]
        default: return ["-\(letter)=\(value)"]
        }
    }

    /// Flags in one word, perhaps with an option that takes a value at its end.
    private static func cluster(_ subject: Subject, _ line: inout Line, _ random: inout SeededGenerator) -> [String] {
        let flags = subject.options.filter { $0.values.isEmpty && $0.letter != nil }
        let chosen = (0..<Int.random(in: 1...3, using: &random)).map { _ in flags.randomElement(using: &random)! }
        line.given += chosen.map { ($0.name, "true") }
        let letters = chosen.map { String($0.letter!) }.joined()
        let last = subject.options.filter { !$0.values.isEmpty && $0.letter != nil }.randomElement(using: &random)
        guard let last, let letter = last.letter, Bool.random(using: &random) else { return ["-" + letters] }
        let value = last.values.first { !$0.isEmpty && !$0.hasPrefix("-") && !$0.hasPrefix("=") } ?? "x"
        line.given.append((last.name, value))
        return [["-\(letters)\(letter)\(value)"], ["-\(letters)\(letter)=\(value)"], ["-\(letters)\(letter)", value]]
            .randomElement(using: &random)!
    }

    /// What no reading may take.
    private static func mistake(_ subject: Subject, _ line: inout Line, _ random: inout SeededGenerator) -> [String] {
        line.isWrong = true
        let valued = subject.options.filter { !$0.wrong.isEmpty }.randomElement(using: &random)!
        let flag = subject.options.filter { $0.values.isEmpty }.randomElement(using: &random)!
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return ["--nosuch"]
        case 1: return ["--" + flag.name.dropLast()]
        case 2: return ["-qz"]
        case 3: return ["--\(flag.name)=yes"]
        case 4: return ["--" + valued.name, "--json"]
        case 5: return ["-z"]
        default:
            let value = valued.wrong.randomElement(using: &random)!
            return value.isEmpty ? ["--\(valued.name)="] : ["--\(valued.name)=\(value)"]
        }
    }
}
