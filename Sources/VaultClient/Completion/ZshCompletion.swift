// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ZshCompletion` makes the script for zsh.
enum ZshCompletion {
    static func script(_ places: [CompletionPlace]) -> String {
        "#compdef vault\n# Completion of vault, made by 'vault completion zsh'.\n\n" + table(places) + "\n" + reader
    }

    private static func table(_ places: [CompletionPlace]) -> String {
        var text = "_vault_at() {\n    commands=() options=() valued=() kinds=() places=() heading=\n    case $1 in\n"
        for place in places {
            text += "    ('\(place.path)')\n"
            text += assignment("commands", place.commands.map { "\($0.name):\($0.abstract)" })
            text += assignment(
                "options", place.ownOptions.flatMap { option in option.spellings.map { "\($0):\(option.meaning)" } })
            text += assignment("valued", place.ownOptions.filter { $0.kind == .option }.flatMap(\.spellings))
            text += assignment("kinds", place.ownOptions.flatMap(\.offers))
            text += assignment("places", place.words.map(\.offer))
            if place.needsCommand { text += "        heading=1\n" }
            text += "        ;;\n"
        }
        text += "    esac\n"
        let common = GlobalOptions.descriptions
        text += assignment(
            "options", common.flatMap { option in option.spellings.map { "\($0):\(option.meaning)" } }, adds: true)
        text += assignment("valued", common.filter { $0.kind == .option }.flatMap(\.spellings), adds: true)
        text += assignment("kinds", common.flatMap(\.offers), adds: true)
        return text + "}\n"
    }

    private static func assignment(_ name: String, _ words: [String], adds: Bool = false) -> String {
        guard !words.isEmpty else { return "" }
        let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }
        return "        \(name)\(adds ? "+=" : "=")(\(quoted.joined(separator: " ")))\n"
    }

    private static let reader = #"""
        _vault() {
            local word= place= option= wanted= ended= heading= cur=${words[CURRENT]}
            local -i count=0
            local -a commands options valued kinds places values
            _vault_at ''
            for word in "${(@)words[2,CURRENT-1]}"; do
                if [[ -n $option ]]; then
                    option=
                elif [[ -n $ended ]]; then
                    ((count += 1))
                elif [[ $word == -- ]]; then
                    ended=1
                elif [[ $word == -?* ]]; then
                    ((${valued[(Ie)$word]} == 0)) || option=$word
                elif ((${commands[(I)${(b)word}:*]})); then
                    place="${place:+$place }$word"
                    _vault_at "$place"
                elif [[ -n $heading ]]; then
                    return 1
                else
                    commands=()
                    ((count += 1))
                fi
            done
            if [[ -z $ended && -z $option && $cur == --*=* ]]; then
                option=${cur%%=*}
                compset -P '*='
            fi
            if [[ -n $option ]]; then
                wanted=${${(M)kinds:#${(b)option}=*}#*=}
            elif [[ -z $ended && $cur == -* ]]; then
                _describe -o option options
                return
            elif (($#commands)); then
                _describe command commands
                return
            elif ((count < $#places)); then
                wanted=${places[count + 1]}
            elif [[ ${places[-1]} == *\* ]]; then
                wanted=${places[-1]}
            fi
            wanted=${wanted%\*}
            case $wanted in
            ('' | -) ;;
            (file) _files ;;
            (folder) _files -/ ;;
            (note | tag | notebook)
                values=(${(f)"$(${words[1]} __complete $wanted "$cur" 2>/dev/null)"})
                compadd -a values
                ;;
            (*)
                values=(${(s:,:)wanted})
                compadd -a values
                ;;
            esac
        }

        if [[ "${funcstack[1]}" == _vault ]]; then
            _vault "$@"
        else
            compdef _vault vault
        fi

        """#
}
