// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSandboxAttempts
internal import Glibc
internal import Sandbox

/// Confines a child process as `vault-parse` confines itself, lets it try what it should not be able to do, and says
/// what became of it. For tests; never installed.
///
/// `sandbox-attempts NAME|all MODE FOLDER`, with mode `free` (the control), `one` or `many` (`Workload`), `folder` or
/// `network` (`StoreAccess`), `passed` (the same, beside rclone), `program` (what rclone gets), `fetch` (as
/// `vault-fetch` does), or `unavailable` (where no filter can be set); one line for each attempt. `sandbox-attempts
/// names` lists them: a name and whether it succeeds in every unconfined process.
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if words == ["names"] { return list() }
        guard words.count == 3, let confine = confinement(words[2]) else {
            end("usage: sandbox-attempts NAME|all free|one|many|folder|network|passed|program|fetch|unavailable FOLDER")
        }
        // The one folder that is left to a process is another one than those of the attempts.
        let own = words[3] + "/remote"
        guard unsafe mkdir(own, 0o700) == 0, unsafe open(own, O_RDONLY | O_DIRECTORY) == Self.ownFolder else {
            end("no folder of its own")
        }
        var count = 0
        var index: Int32 = 0
        while let name = name(index) {
            if words[1] == "all" || words[1] == name {
                let folder = "\(words[3])/\(index)"
                guard unsafe mkdir(folder, 0o700) == 0, unsafe ca_try(index, folder, confine.function) == 0 else {
                    end("\(name): no scene in \(folder)")
                }
                count += 1
            }
            index += 1
        }
        if count == 0 { end("there is no attempt of this name") }
    }

    /// The first descriptor that is free in a new process.
    private static let ownFolder: Int32 = 3

    private struct Confining {
        let function: (@convention(c) () -> Int32)?
    }

    private static func confinement(_ mode: String) -> Confining? {
        switch mode {
        case "free": Confining(function: nil)
        case "one": Confining(function: { Sandbox.enter(for: .oneInput) ? 0 : -1 })
        case "many": Confining(function: { Sandbox.enter(for: .manyInputs) ? 0 : -1 })
        case "folder": Confining(function: { Sandbox.enter(for: .folder(descriptor: Main.ownFolder)) ? 0 : -1 })
        case "network": Confining(function: { Sandbox.enter(for: .network(ports: [443])) ? 0 : -1 })
        case "program":
            // As for rclone: a program that is not ours.
            Confining(function: {
                Sandbox.enter(forProgram: unsafe open("/bin/true", 0x20_0000), of: getppid()) ? 0 : -1
            })
        case "passed": Confining(function: { Sandbox.enter(for: .passedConnections) ? 0 : -1 })
        case "fetch": Confining(function: { Sandbox.enterForFetching(ports: [443]) ? 0 : -1 })
        case "unavailable":
            Confining(function: { ca_forbid_filters() == 0 && Sandbox.enter(for: .oneInput) ? 0 : -1 })
        default: nil
        }
    }

    private static func name(_ index: Int32) -> String? {
        guard let name = unsafe ca_name(index) else { return nil }
        return unsafe String(cString: name)
    }

    private static func list() {
        var index: Int32 = 0
        while let name = name(index) {
            print(name, ca_succeeds_unconfined(index))
            index += 1
        }
    }

    private static func end(_ message: String) -> Never {
        let line = Array("sandbox-attempts: \(message)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(2)
    }
}
