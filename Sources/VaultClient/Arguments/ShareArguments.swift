// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct ShareArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Copy a note as plain text to the clipboard or a new file.",
        discussion: "The clipboard is cleared after 45 seconds, if the text is still there. To change the time: vault config set clipboard.clear 2m.")
    @Argument(help: "The note.") var id: String
    @Option(help: "The target.") var to: ShareTarget
    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The new file.", valueName: "file"), completion: .file()) var output: String?
    @Flag(name: .customLong("osc52"), help: "Use the terminal's own clipboard, even from another machine; it is not cleared.") var osc52 = false
    @Flag(help: "Let wl-copy keep the text in a file on a disk while it is on the clipboard.") var allowDiskTemp = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = ShareOptions(note: id, target: to, output: output)
        options.usesTerminal = osc52
        options.allowsDisk = allowDiskTemp
        return try ShareCommand.run(options, context)
    }
}

extension ShareTarget: ExpressibleByArgument {}
