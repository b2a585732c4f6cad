// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultClient

/// `CommandManual` makes the manual page of one command.
struct CommandManual {
    let page: CommandPage
    /// All commands, for references from one to another.
    let all: [CommandPage]

    static func name(_ path: [String]) -> String { (["vault"] + path).joined(separator: "-") }

    var text: String {
        var roff = RoffPage(
            name: Self.name(page.path), section: 1, version: "vault " + Frame.programVersion, manual: "User Commands")
        roff.section("NAME")
        roff.line(Roff.escaped(Self.name(page.path)) + " \\- " + Roff.escaped(Self.purpose(page.abstract)))
        synopsis(&roff)
        roff.section("DESCRIPTION")
        roff.prose(page.abstract + (page.discussion.isEmpty ? "" : "\n\n" + page.discussion))
        for section in page.sections { commands(section, &roff) }
        options("ARGUMENTS", page.positionals, &roff)
        options("OPTIONS", page.ownOptions, &roff)
        options("GLOBAL OPTIONS", page.commonOptions, &roff)
        examples(&roff)
        exitStatus(&roff)
        surroundings(&roff)
        references(&roff)
        roff.section("BUGS")
        Self.support(&roff)
        return roff.text
    }

    private func synopsis(_ roff: inout RoffPage) {
        roff.section("SYNOPSIS")
        roff.line(Roff.bold(page.line))
        if !page.sections.isEmpty { roff.line(Roff.italic("command")) }
        for option in page.ownOptions {
            let names = option.spellings.map(Roff.bold).joined(separator: " | ")
            let value = option.kind == .option ? " " + Roff.italic(option.valueName) : ""
            roff.line("[" + names + value + "]" + (option.isRepeating ? " ..." : ""))
        }
        roff.line("[" + Roff.italic("global options") + "]")
        for argument in page.positionals {
            let name = Roff.italic(argument.valueName) + (argument.isRepeating ? " ..." : "")
            roff.line(argument.isOptional ? "[" + name + "]" : name)
        }
    }

    private func commands(_ section: CommandPage.Section, _ roff: inout RoffPage) {
        roff.section(section.title == "Subcommands" ? "COMMANDS" : Roff.quoted(section.title.uppercased()))
        for command in section.commands { roff.item(Roff.bold(command.name), command.abstract) }
    }

    private func options(_ title: String, _ arguments: [ArgumentDescription], _ roff: inout RoffPage) {
        guard !arguments.isEmpty else { return }
        roff.section(title)
        for argument in arguments {
            let names = argument.spellings.map(Roff.bold).joined(separator: ", ")
            let value = argument.kind == .flag ? "" : Roff.italic(argument.valueName)
            roff.item([names, value].filter { !$0.isEmpty }.joined(separator: " "), argument.explanation)
        }
    }

    private func examples(_ roff: inout RoffPage) {
        guard !page.examples.isEmpty else { return }
        roff.section("EXAMPLES")
        for example in page.examples { roff.item(Roff.bold(example.line), example.meaning) }
    }

    private func exitStatus(_ roff: inout RoffPage) {
        roff.section("EXIT STATUS")
        roff.line(".PD 0")
        for code in ExitCode.allCases { roff.item(Roff.bold(String(code.rawValue)), code.meaning) }
        roff.line(".PD")
    }

    /// Writes the sections on variables and files; only the program's own page lists what all commands share.
    private func surroundings(_ roff: inout RoffPage) {
        roff.section("ENVIRONMENT")
        guard page.path.isEmpty else {
            roff.line(
                "The variables and files that all commands use are described in " + Roff.reference("vault", 1) + ".")
            return
        }
        for entry in ManualReference.environment where has(entry.command) {
            roff.item(Roff.bold(entry.term), entry.meaning)
        }
        roff.section("FILES")
        for entry in ManualReference.files where has(entry.command) {
            roff.item(Roff.italic(entry.term), entry.meaning)
        }
    }

    private func has(_ command: String?) -> Bool { command == nil || all.contains { $0.path == [command ?? ""] } }

    /// Writes the command above and its other commands; the program's page names them all.
    private func references(_ roff: inout RoffPage) {
        let near = all.filter { other in
            guard other.path != page.path, !page.path.isEmpty else { return other.path != page.path }
            return other.path.isEmpty || other.path == page.path.dropLast() || other.path.dropLast() == page.path[...]
                || (page.path.count > 1 && other.path.dropLast() == page.path.dropLast())
        }
        var names = near.map { Roff.reference(Self.name($0.path), 1) }
        if has("config") { names.append(Roff.reference(SettingsManual.name, 5)) }
        roff.section(Roff.quoted("SEE ALSO"))
        for (index, name) in names.enumerated() { roff.line(name + (index < names.count - 1 ? "," : "")) }
    }

    static func support(_ roff: inout RoffPage) {
        // The pages are the same for every build, and the addresses are a build's own.
        roff.line("Report bugs at the address that")
        roff.line(Roff.bold("vault about"))
        roff.line("names.")
    }

    /// Returns the abstract as a manual's first line has it: no capital, no final stop.
    private static func purpose(_ abstract: String) -> String {
        let text = abstract.hasSuffix(".") ? abstract.dropLast() : abstract[...]
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
