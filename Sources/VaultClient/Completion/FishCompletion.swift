// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FishCompletion` makes the script for fish.
enum FishCompletion {
    static func script(_ places: [CompletionPlace]) -> String {
        var text =
            "# Completion of vault, made by 'vault completion fish'.\n\n" + reader(places) + "\ncomplete -c vault -f\n"
        for option in GlobalOptions.descriptions { text += line(nil, option) }
        for place in places {
            for command in place.commands {
                text += "complete -c vault -n \(at(place)) -a \(quoted(command.name)) -d \(quoted(command.abstract))\n"
            }
            for option in place.ownOptions { text += line(place, option) }
            for offer in Set(place.words.map { offered($0) }).sorted() where !offer.isEmpty {
                text += "complete -c vault -n \(at(place))\(offer)\n"
            }
        }
        return text
    }

    private static func line(_ place: CompletionPlace?, _ option: ArgumentDescription) -> String {
        var text = "complete -c vault" + (place.map { " -n " + at($0) } ?? "") + " -l \(option.name)"
        if let letter = option.letter { text += " -s \(letter)" }
        if option.kind == .option { text += " -r" + offered(option) }
        return text + " -d \(quoted(option.meaning))\n"
    }

    /// Returns options of `complete` that offer values.
    private static func offered(_ argument: ArgumentDescription) -> String {
        switch argument.completion {
        case .file: " -F"
        case .folder: " -a '(__fish_complete_directories)'"
        case .nothing:
            argument.allValues.isEmpty
                ? argument.named.map {
                    " -a '(command -q vault; and vault __complete \($0) (commandline -ct) 2>/dev/null)'"
                } ?? ""
                : " -a \(quoted(argument.allValues.joined(separator: " ")))"
        }
    }

    private static func at(_ place: CompletionPlace) -> String { quoted("__vault_at \"\(place.path)\"") }

    /// Returns what finds out which command's arguments are being typed.
    private static func reader(_ places: [CompletionPlace]) -> String {
        let valued = GlobalOptions.descriptions.filter { $0.kind == .option }.flatMap(\.spellings).joined(
            separator: " ")
        let headings = places.filter { !$0.path.isEmpty && !$0.commands.isEmpty }
        let open = headings.filter { !$0.needsCommand }.map(cases)
        return """
            function __vault_place
                set -l words (commandline -opc)
                set -e words[1]
                set -l place
                set -l skips 0
                for word in $words
                    if test $skips = 1
                        set skips 0
                        continue
                    end
                    switch $word
                        case \(valued)
                            set skips 1
                        case '-*'
                        case '*'
                            set -a place $word
                            switch "$place"
                                case \(headings.map { quoted($0.path) }.joined(separator: " "))
            \(open.joined())                    case '*'
                                    break
                            end
                    end
                end
                string join ' ' -- $place
            end

            function __vault_at
                set -l place (__vault_place)
                test "$place" = "$argv"
            end

            """
    }

    /// Returns the cases of a heading that stands for a command: below it, any word may be that command's argument.
    private static func cases(_ heading: CompletionPlace) -> String {
        let commands = heading.commands.map { quoted("\(heading.path) \($0.name)") }.joined(separator: " ")
        return [
            "case \(commands)", "    break", "case \(quoted(heading.path + " *"))", "    set place \(heading.path)",
            "    break",
        ].map { String(repeating: " ", count: 20) + $0 + "\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
