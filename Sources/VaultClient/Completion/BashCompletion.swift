// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BashCompletion` makes the script for bash. It needs no bash-completion.
enum BashCompletion {
    static func script(_ places: [CompletionPlace]) -> String {
        "#!/bin/bash\n# Completion of vault, made by 'vault completion bash'.\n\n" + table(places) + "\n" + reader
    }

    private static func table(_ places: [CompletionPlace]) -> String {
        var text = "_vault_at() {\n    commands= options= valued= kinds= places= heading=\n    case $1 in\n"
        for place in places {
            text += "    '\(place.path)')\n"
            text += assignment("commands", place.commands.map(\.name))
            text += assignment("options", place.options.flatMap(\.spellings))
            text += assignment("valued", place.options.filter { $0.kind == .option }.flatMap(\.spellings))
            text += assignment("kinds", place.options.flatMap(\.offers))
            text += assignment("places", place.words.map(\.offer))
            if place.needsCommand { text += "        heading=1\n" }
            text += "        ;;\n"
        }
        return text + "    esac\n}\n"
    }

    private static func assignment(_ name: String, _ words: [String]) -> String {
        words.isEmpty ? "" : "        \(name)='\(words.joined(separator: " "))'\n"
    }

    private static let reader = #"""
        _vault() {
            local cur=${COMP_WORDS[COMP_CWORD]} word= place= option= wanted= ended= count=0 i
            local commands options valued kinds places heading
            local -a line=() kind
            COMPREPLY=()
            # bash takes --name=value apart into three words.
            for ((i = 1; i < COMP_CWORD; i++)); do
                [[ ${COMP_WORDS[i]} == = ]] || line+=("${COMP_WORDS[i]}")
            done
            [[ $cur != = ]] || cur=
            _vault_at ''
            for word in "${line[@]}"; do
                if [[ -n $option ]]; then
                    option=
                elif [[ -n $ended ]]; then
                    ((count += 1))
                elif [[ $word == -- ]]; then
                    ended=1
                elif [[ $word == -?* ]]; then
                    [[ " $valued " != *" $word "* ]] || option=$word
                elif [[ " $commands " == *" $word "* ]]; then
                    place="${place:+$place }$word"
                    _vault_at "$place"
                elif [[ -n $heading ]]; then
                    return
                else
                    commands=
                    ((count += 1))
                fi
            done
            if [[ -n $option ]]; then
                for word in $kinds; do
                    [[ $word != "$option="* ]] || wanted=${word#*=}
                done
            elif [[ -z $ended && $cur == -* ]]; then
                COMPREPLY=($(compgen -W "$options" -- "$cur"))
                return
            elif [[ -n $commands ]]; then
                COMPREPLY=($(compgen -W "$commands" -- "$cur"))
                return
            elif [[ -n $places ]]; then
                kind=($places)
                wanted=${kind[count]:-}
                [[ -n $wanted || ${kind[-1]} != *\* ]] || wanted=${kind[-1]}
            fi
            case ${wanted%\*} in
            '' | -) ;;
            file) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
            folder) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
            note | tag | notebook)
                while IFS= read -r word; do
                    COMPREPLY+=("$(printf %q "$word")")
                done < <("${COMP_WORDS[0]}" __complete "${wanted%\*}" "$cur" 2>/dev/null)
                ;;
            *) COMPREPLY=($(compgen -W "${wanted//,/ }" -- "$cur")) ;;
            esac
            [[ $wanted != f* ]] || compopt -o filenames 2>/dev/null
        }

        complete -F _vault vault

        """#
}
