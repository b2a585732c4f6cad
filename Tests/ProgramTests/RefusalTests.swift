// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

/// What the operating system refuses, for a reason that says nothing of the vault's files, is told in its own words:
/// never as damage (13), never as a fail-safe (11). strace(1) refuses in the kernel's place, also in the agent.
@Suite(.serialized, .enabled(if: SystemTrace.isPermitted, "strace may not be used here"))
struct RefusalTests {
    struct Reason: CustomTestStringConvertible, Sendable {
        let name: String
        let number: Int32
        var testDescription: String { name }
    }

    static let reasons = [
        Reason(name: "EMFILE", number: EMFILE), Reason(name: "ENFILE", number: ENFILE),
        Reason(name: "ENOMEM", number: ENOMEM),
        Reason(name: "EINVAL", number: EINVAL), Reason(name: "EROFS", number: EROFS), Reason(name: "EIO", number: EIO),
        Reason(name: "EDQUOT", number: EDQUOT), Reason(name: "ENOSPC", number: ENOSPC),
    ]

    /// A call of client or agent on some files of the vault, and commands that need it.
    private struct Point {
        let call: String
        /// Beneath the vault's directory; empty is the directory itself, and what is opened in it.
        let files: [String]
        let commands: [[String]]
    }

    private static let points = [
        Point(call: "openat", files: ["/header", "/header.2"], commands: [["ls"]]),
        Point(call: "openat", files: [""], commands: [["ls"], ["check"], ["new", "a text"]]),
        Point(call: "pread64", files: ["/header", "/header.2"], commands: [["ls"]]),
        Point(call: "read", files: ["/header", "/header.2"], commands: [["ls"]]),
        Point(call: "read", files: ["/manifest", "/manifest.2"], commands: [["ls"]]),
        Point(
            call: "pread64", files: ["/index-1.db"],
            commands: [["ls"], ["cat", "kept"], ["search", "kept"], ["check"], ["history", "kept"]]),
        Point(
            call: "pwrite64", files: ["/index-1.db-wal"],
            commands: [["new", "a text"], ["append", "kept", "more"], ["tag", "kept", "work"], ["rm", "kept"]]),
        Point(call: "fdatasync", files: ["/index-1.db-wal"], commands: [["new", "a text"]]),
        Point(
            call: "openat", files: ["/objects"],
            commands: [["attach", "get", "kept", "file", "-o", "-"], ["attach", "add", "kept", "/etc/hostname"]]),
    ]

    @Test(arguments: reasons) func everyRefusalOfTheSystemHasItsOwnSentence(reason: Reason) throws {
        let world = try worldWithANote()
        let refusal = try #require(SystemRefusal(reason.number))
        for point in Self.points {
            for command in point.commands {
                let refused = try run(command, world, point.call, reason.name, point.files.map { world.directory + $0 })
                let what: Comment =
                    "\(reason.name) at \(point.call) of \(point.files), \(command[0]): \(refused.code) \(refused.err)"
                #expect([1, 9].contains(refused.code), what)
                #expect(refused.err.contains(refusal.message), what)
                #expect(refused.err.contains("vault: hint: ") && refused.err.contains(refusal.hint), what)
                #expect(!refused.err.contains("damaged") && !refused.err.contains("integrity"), what)
            }
        }
        // Nothing is the worse for it.
        #expect(try world.vault("--password-file", world.passwordFile, "cat", "kept").text == "kept\nand read again")
        #expect(try JSON(world.vault("--password-file", world.passwordFile, "check", "--json"))["clean"].bool == true)
    }

    /// A log that holds the only copy of notes must not be taken for torn where it could not be read.
    @Test(arguments: reasons) func aLogThatCannotBeReadIsNeitherDamagedNorCut(reason: Reason) throws {
        let world = try VaultWorld()
        let id = try world.new("only in the log")
        let agent = try world.agentPID()
        kill(agent, SIGKILL)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        let refused = try run(["ls"], world, "pread64", reason.name, [world.directory + "/index-1.db-wal"])
        let refusal = try #require(SystemRefusal(reason.number))
        #expect(
            [1, 9].contains(refused.code) && refused.err.contains(refusal.message), "\(refused.code) \(refused.err)")
        #expect(try world.vault("--password-file", world.passwordFile, "cat", id).text == "only in the log")
    }

    /// The real thing: a limit that the shell sets. Whatever a command lacks it says so, and it never blames the files.
    @Test func withFewDescriptorsNothingIsCalledDamaged() throws {
        let world = try worldWithANote()
        let message = try #require(SystemRefusal(EMFILE)).message
        var refusals = 0
        for limit in 4...26 {
            for command in ["cat kept", "new text", "check"] {
                let line =
                    "ulimit -n \(limit) && exec '\(Programs.path("vault"))' --password-file '\(world.passwordFile)' \(command)"
                let finished = try Command.run(["/bin/sh", "-c", line], environment: world.environment, seconds: 60)
                let what: Comment = "\(limit), \(command): \(finished.code) \(finished.err)"
                #expect(finished.code != 13 && finished.code != 11 && finished.code != 4 && finished.code != 5, what)
                #expect(!finished.err.contains("damaged") && !finished.err.contains("integrity"), what)
                if finished.err.contains(message) { refusals += 1 }
            }
        }
        #expect(refusals > 3)
        #expect(try world.vault("--password-file", world.passwordFile, "cat", "kept").text == "kept\nand read again")
        #expect(try JSON(world.vault("--password-file", world.passwordFile, "check", "--json"))["clean"].bool == true)
    }

    @Test func aTextAboveItsLimitIsNamedWithTheLimit() throws {
        let world = try VaultWorld()
        let id = try world.new("short")
        let long = "Zlong" + String(repeating: "y", count: 4092)
        for command in [
            ["new", "--title", long, "text"], ["new", "--tag", long, "text"], ["new", "--notebook", long, "text"],
            ["title", id, long],
            ["tag", id, long], ["mv", id, long], ["show", long], ["cat", long], ["rm", long],
            ["notebook", "mv", "a", long],
            ["attach", "get", id, long, "-o", "-"],
        ] {
            let refused = try world.vault(command)
            expectRefusal(refused, 2, says: "too long")
            #expect(
                refused.err.contains(
                    "'Zlongyyyyyyyyyyyyyyyyyyy…' is too long: it has 4097 bytes, and 4096 is the limit"),
                "\(command[0]): \(refused.err)")
        }
        #expect(try world.vault("new", "--title", String(long.dropLast()), "text").code == 0)
        #expect(try world.agentPID() > 1)
    }

    private func worldWithANote() throws -> VaultWorld {
        let world = try VaultWorld(unlocked: false)
        let file = try world.write("file", "attached")
        try world.require(
            world.vault("--password-file", world.passwordFile, "new", "--attach", file, "--", "kept\nand read again"))
        return world
    }

    private func run(_ command: [String], _ world: VaultWorld, _ call: String, _ reason: String, _ paths: [String])
        throws -> Finished
    {
        let strace =
            [Programs.system("strace") ?? "strace", "-f", "-qq", "-o", "/dev/null"] + paths.flatMap { ["-P", $0] }
        let program = [Programs.path("vault"), "--password-file", world.passwordFile] + command
        return try Command.run(
            strace + ["-e", "trace=" + call, "-e", "inject=\(call):error=\(reason)"] + program,
            environment: world.environment, seconds: 60)
    }
}
