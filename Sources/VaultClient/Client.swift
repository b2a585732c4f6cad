// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `Client` is the program `vault`: it reads a command line, has the agent do the work and prints the answer.
public enum Client {
    /// Runs the command of this process's arguments.
    ///
    /// - Returns: the process's exit code. Spec: docs/cli.md
    public static func run() -> Int32 {
        ProcessSetUp.run()
        do throws(ClientFailure) {
            return try run(ShortForms.expanded(try arguments()) { ShortForms.hasVault })
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
        if arguments.first == WebSupervisor.command { return WebSupervisor.run(Array(arguments.dropFirst())) }
        if arguments.first == PageImport.command { return PageImport.run(Array(arguments.dropFirst())) }
        if arguments.first == PageBooks.command { return PageBooks.run(Array(arguments.dropFirst())) }
        if arguments.first == PageSignIn.command { return PageSignIn.run(Array(arguments.dropFirst())) }
        if arguments.first == CompletedNames.command { return CompletedNames.run(Array(arguments.dropFirst())) }
        if arguments.first == BrowserWindow.command { return BrowserWindow.run(Array(arguments.dropFirst())) }
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
            return context.reporter.finish(error.outcome.meaning(vault: options.vault))
        }
    }

    /// Returns arguments as the kernel gave them: Swift's own list replaces what is not UTF-8 without a word.
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

extension Outcome {
    /// Returns the same with a hint that opens or closes the vault that was named, and not the default one.
    fileprivate func meaning(vault: String?) -> Outcome {
        guard let vault, !hint.contains("--vault") else { return self }
        var outcome = self
        for command in ["unlock", "lock", "status", "repair"] {
            outcome.hint = outcome.hint.replacing(
                "vault \(command)", with: "vault --vault \(ShellWord.quoted(vault)) \(command)")
        }
        return outcome
    }
}

/// `ProcessSetUp` does what a process that will hold notes and passwords does first.
enum ProcessSetUp {
    static func run() {
        // Swift's own handler prints registers and the memory they point to; the default action prints nothing.
        for fatal in [SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE] { signal(fatal, SIG_DFL) }
        vs_default_quit()
        // A caller may have left SIGPIPE ignored: `vault ls | head` must end quietly.
        signal(SIGPIPE, SIG_DFL)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = vs_not_dumpable()
        openStandardStreams()
    }

    /// Opens the standard streams that are closed: the next file opened would take such a number and get our output.
    /// They can only be read, so that what is written to one still fails: a new note's identifier is not lost without a
    /// word.
    private static func openStandardStreams() {
        for stream in 0...2 as ClosedRange<Int32> where fcntl(stream, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }
}
