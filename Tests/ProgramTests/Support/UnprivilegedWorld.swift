// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// A world that belongs to a user without privileges, with copies of the programs that this user may run.
final class UnprivilegedWorld {
    let world: VaultWorld

    init() throws {
        world = try VaultWorld(prepared: false)
        try world.makeFolder("bin")
        for name in ["vault", "vault-agent", "vault-parse"] {
            // By a process of its own: a descriptor of ours that is open for writing could be inherited, and then the
            // program is busy.
            try world.require(
                Command.run(
                    ["/bin/cp", Programs.path(name), world.path("bin/" + name)], environment: world.environment))
            unsafe chmod(world.path("bin/" + name), 0o755)
        }
        for name in ["", "bin"] { unsafe chmod(world.path(name), 0o755) }
        for name in ["home", "run", "state", "password"] {
            unsafe chown(world.path(name), Privileges.otherUser, Privileges.otherUser)
        }
        world.environment["NOTEVAULT_DIR"] = world.path("home/vault")
        try world.require(vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile))
    }

    var passwordFile: String { world.passwordFile }
    var environment: [String: String] { world.environment }

    func path(_ name: String) -> String { world.path(name) }

    /// A folder with one note to import.
    func folderOfNotes() throws -> String {
        try world.makeFolder("notes")
        try world.write("notes/a.md", "# Imported\n")
        for name in ["notes", "notes/a.md"] {
            unsafe chown(world.path(name), Privileges.otherUser, Privileges.otherUser)
        }
        return world.path("notes")
    }

    @discardableResult
    func vault(_ arguments: String...) throws -> Finished { try run([world.path("bin/vault")] + arguments) }

    func run(_ arguments: [String]) throws -> Finished {
        try Command.run(Privileges.asOtherUser(arguments), environment: world.environment)
    }

    /// - Returns: the agent's process number.
    func unlock() throws -> pid_t {
        try world.require(vault("unlock", "--password-file", world.passwordFile))
        let status = try JSON(vault("status", "--json"))
        guard let pid = status["agentPID"].int, pid > 1 else {
            throw VaultWorld.Failed(description: "no agent is running")
        }
        world.adopt(pid_t(pid))
        return pid_t(pid)
    }
}
