// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// The program `vault`: reads a command line, has the agent do the work, prints the answer.
public enum Client {
    /// Runs the command of this process's arguments.
    ///
    /// - Returns: the process's exit code. Spec: docs/cli.md
    public static func run() -> Int32 {
        ProcessSetUp.run()
        do throws(ClientFailure) {
            return try run(try arguments())
        } catch {
            return Reporter().finish(error.outcome)
        }
    }

    private static func run(_ arguments: [String]) throws(ClientFailure) -> Int32 {
        if CommandLineShape.holdsPassword(arguments) {
            throw .usage(
                "there is no --password: other programs can see a command line, and the shell keeps it in its history",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        }
        if arguments.isEmpty {
            try Streams.write(HelpCommand.start)
            return 0
        }
        if arguments.first == ClipboardClearer.command { return ClipboardClearer.run(Array(arguments.dropFirst())) }
        Environment.warnAboutPasswords()
        return CommandRunner.run(CommandLineShape(arguments))
    }

    /// Runs a command that was understood, and reports how it ended.
    static func execute(_ options: GlobalOptions, _ run: (Context) throws(ClientFailure) -> Outcome) -> Int32 {
        let context = Context(options: options)
        context.settingsOrDefaults.warnings.forEach(Streams.warn)
        do throws(ClientFailure) {
            return context.reporter.finish(try run(context))
        } catch {
            return context.reporter.finish(error.outcome)
        }
    }

    /// Arguments as the kernel gave them: Swift's own list replaces what is not UTF-8 without a word.
    private static func arguments() throws(ClientFailure) -> [String] {
        var texts: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let raw = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let text = unsafe String(validatingCString: raw) else {
                throw .usage("argument \(index) is not UTF-8", hint: "pipe text through iconv -f ISO-8859-1 -t utf-8")
            }
            texts.append(text)
        }
        return texts
    }
}
