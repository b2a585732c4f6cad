// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// A `Command` says of one command what it is called, takes and does. Registration, the reading of its line, help,
/// completion and the manual page all come from this one declaration (docs/decisions/0021).
///
/// A command's properties hold what its line says, or their defaults. `declare` goes through them; it is the only list
/// of the command's arguments.
protocol Command: Sendable {
    /// As it is typed. It stands beside `spec` so that a command is found without a text of the others being touched.
    static var name: String { get }
    static var spec: Spec { get }
    init()
    /// Declares the arguments and options in the order in which help shows them.
    mutating func declare(_ list: inout ArgumentList)
    /// Says what is wrong with the values taken together; nil when nothing is.
    var complaint: String? { get }
    func run(_ context: Context) throws(ClientFailure) -> Outcome
}

extension Command {
    mutating func declare(_ list: inout ArgumentList) {}
    var complaint: String? { nil }
}

/// An `ArgumentGroup` holds arguments that several commands share.
protocol ArgumentGroup {
    mutating func declare(_ list: inout ArgumentList)
}

/// A `CommandGroup` is a heading for commands: it does nothing itself, or what one of them does.
protocol CommandGroup: Sendable {
    static var name: String { get }
    static var spec: Spec { get }
    static var commands: CommandList { get }
    /// The command that is meant when none is named.
    static var standard: (any Command.Type)? { get }
}

extension CommandGroup {
    static var standard: (any Command.Type)? { nil }
}

/// `MadeCommand` is a command as a line finds it. Most are a type; commands that differ only in what a list says of
/// them, such as those of `vault import`, are values of one.
struct MadeCommand: Sendable {
    let name: String
    private let makeSpec: @Sendable () -> Spec
    /// As it is before a line fills it.
    let make: @Sendable () -> any Command

    var spec: Spec { makeSpec() }

    init(_ type: any Command.Type) {
        (name, makeSpec, make) = (type.name, { type.spec }, { type.init() })
    }

    init(_ name: String, _ spec: @autoclosure @escaping @Sendable () -> Spec, _ command: any Command) {
        (self.name, makeSpec, make) = (name, spec, { command })
    }
}

/// `CommandList` holds commands in the order of help; of types, as they are written down.
struct CommandList: ExpressibleByArrayLiteral, Sendable {
    let all: [MadeCommand]

    init(_ all: [MadeCommand]) { self.all = all }
    init(arrayLiteral types: any Command.Type...) { all = types.map { MadeCommand($0) } }
}

/// `Spec` holds what help and the manual say of a command, apart from its arguments.
struct Spec: Sendable {
    /// One sentence.
    let abstract: String
    let discussion: String
    /// `k7` stands for the beginning of a note's identifier throughout.
    let examples: [CommandExample]

    init(_ abstract: String, discussion: String = "", examples: KeyValuePairs<String, String> = [:]) {
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples.map { CommandExample(line: $0.key, meaning: $0.value) }
    }
}

/// `CommandExample` is a command line that can be typed as it stands, and what it does.
package struct CommandExample: Sendable, Equatable {
    package let line: String
    package let meaning: String
}
