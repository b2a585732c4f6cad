// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ArgumentDescription` holds what help, completion and the manual say of one argument or option.
package struct ArgumentDescription: Sendable, Equatable {
    package enum Kind: Sendable {
        case positional, option, flag
    }

    /// `Completion` says what the Tab key offers for a value, besides the values that can be listed.
    package enum Completion: Sendable {
        case nothing, file, folder
    }

    package let kind: Kind
    /// The long name without dashes; of a positional argument what stands for it.
    package let name: String
    package var letter: Character?
    /// What stands for the value.
    package var valueName = ""
    package var defaultValue = ""
    package var allValues: [String] = []
    package var meaning = ""
    package var isOptional = true
    package var isRepeating = false
    package var completion = Completion.nothing
    /// Whether every command has it.
    package var isGlobal = false

    /// As it is typed, the short form first; empty for a positional argument.
    package var spellings: [String] {
        kind == .positional ? [] : (letter.map { ["-\($0)"] } ?? []) + ["--" + name]
    }

    /// What it does, which values it takes, and which one stands for none.
    package var explanation: String {
        var notes: [String] = []
        if !allValues.isEmpty { notes.append("one of " + allValues.joined(separator: ", ")) }
        if !defaultValue.isEmpty { notes.append("default: " + defaultValue) }
        return notes.isEmpty ? meaning : meaning + " (" + notes.joined(separator: "; ") + ")"
    }

    static let help = ArgumentDescription(
        kind: .flag, name: "help", letter: "h", meaning: "Show help information.", isGlobal: true)
    /// What the program itself takes besides.
    static let version = ArgumentDescription(kind: .flag, name: "version", meaning: "Show the version.", isGlobal: true)
}

/// An `ArgumentValue` is a value that can stand on a command line.
protocol ArgumentValue {
    init?(argument: String)
    /// As it is typed.
    var argument: String { get }
    /// All values, where they can be listed.
    static var allArguments: [String] { get }
}

extension ArgumentValue {
    static var allArguments: [String] { [] }
}

extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    init?(argument: String) { self.init(rawValue: argument) }
    var argument: String { rawValue }
    static var allArguments: [String] { allCases.map(\.rawValue) }
}

extension ArgumentValue where Self: FixedWidthInteger {
    init?(argument: String) { self.init(argument) }
    var argument: String { String(self) }
}

extension String: ArgumentValue {
    init?(argument: String) { self = argument }
    var argument: String { self }
}

extension UInt32: ArgumentValue {}
extension UInt64: ArgumentValue {}
extension Int32: ArgumentValue {}
