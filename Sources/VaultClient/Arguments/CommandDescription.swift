// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ArgumentParser
internal import FoundationEssentials

/// What ArgumentParser knows of one command's arguments. It tells it only as text in JSON, which is read here.
package struct CommandDescription: Decodable, Sendable {
    package struct Argument: Decodable, Sendable {
        package enum Kind: String, Decodable, Sendable {
            case positional, option, flag
        }
        package struct Name: Decodable, Sendable {
            package let kind: String
            package let name: String
            /// As it is typed.
            package var spelling: String { (kind == "long" ? "--" : "-") + name }
        }

        package let kind: Kind
        package let names: [Name]?
        package let valueName: String?
        package let defaultValue: String?
        package let allValues: [String]?
        package let abstract: String?
        package let discussion: String?
        package let sectionTitle: String?
        package let isOptional: Bool
        package let isRepeating: Bool
        package let shouldDisplay: Bool

        /// As it is typed, short forms first.
        package var spellings: [String] { (names ?? []).map(\.spelling).sorted { ($0.count, $0) < ($1.count, $1) } }

        /// What it does, which values it takes, and which one stands for none.
        package var explanation: String {
            var notes: [String] = []
            if let allValues, !allValues.isEmpty { notes.append("one of " + allValues.joined(separator: ", ")) }
            if let defaultValue, !defaultValue.isEmpty { notes.append("default: " + defaultValue) }
            let sentences = [abstract, discussion].compactMap { $0 }.filter { !$0.isEmpty }
            return (sentences + (notes.isEmpty ? [] : ["(" + notes.joined(separator: "; ") + ")"])).joined(separator: " ")
        }

        /// Whether every command has it.
        package var isGlobal: Bool {
            sectionTitle == "Global options" || spellings.contains("--help") || spellings.contains("--version")
        }
    }

    let arguments: [Argument]?

    private struct Dump: Decodable {
        let command: CommandDescription
    }

    /// What the program itself takes besides.
    static var version: Argument {
        Argument(
            kind: .flag, names: [Argument.Name(kind: "long", name: "version")], valueName: nil, defaultValue: nil, allValues: nil,
            abstract: "Show the version.", discussion: nil, sectionTitle: nil, isOptional: true, isRepeating: false,
            shouldDisplay: true)
    }

    /// How options are told from words here.
    static func names(of arguments: [Argument]) -> OptionNames {
        var names = OptionNames()
        for argument in arguments where argument.kind != .positional {
            let long = (argument.names ?? []).first { $0.kind == "long" }?.name
            let letter = (argument.names ?? []).first { $0.kind == "short" }?.name.first
            if let long { names.add(long, letter: letter, takesValue: argument.kind == .option) }
        }
        names.takesTerms = arguments.contains { $0.kind == .positional && ["filter", "query"].contains($0.valueName) }
        return names
    }

    /// The arguments that help shows.
    ///
    /// - Returns: nothing when ArgumentParser's form has changed; a test holds that it has not.
    static func arguments(of type: any ParsableCommand.Type) -> [Argument] {
        let dump = try? JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8))
        return (dump?.command.arguments ?? []).filter(\.shouldDisplay)
    }
}
