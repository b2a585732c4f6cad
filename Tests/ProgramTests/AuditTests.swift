// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// `vault-audit memory`, against a real agent and against processes that protect nothing, and what `vault check` says
/// of damage.
@Suite struct AuditTests {
    @Test func E07AnOpenAgentIsShutOffAsTheKernelReportsIt() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let seen = try Command.run([Programs.path("vault-audit"), "memory", String(agent)], environment: [:])
        #expect(seen.code == 0, "\(seen.text)\(seen.err)")
        #expect(!seen.text.contains("NO  "), "\(seen.text)")
        #expect(seen.lines.contains { $0.hasPrefix("ok  core files") })
        guard Privileges.isRoot else { return }
        let mappings = try #require(
            JSON(Command.run([Programs.path("vault-audit"), "memory", String(agent), "--json"], environment: [:]))[
                "findings"
            ]
            .array.last)
        #expect(mappings["judgement"].string == "present", "\(seen.text)")
        #expect(mappings["words"].string?.hasPrefix("0 ") == false)
    }

    @Test func aProcessThatProtectsNothingIsToldApart() throws {
        // Not this process: other suites in it lock memory of theirs.
        let sleeper = try Child(["/bin/sleep", "60"], environment: [:])
        let seen = try Command.run([Programs.path("vault-audit"), "memory", String(sleeper.pid)], environment: [:])
        #expect(seen.code == 1)
        #expect(seen.lines.contains { $0.hasPrefix("NO  locked") })
    }

    @Test(.enabled(if: Privileges.canBeOtherUser, "the difference shows only to a user without privileges"))
    func E07AnAgentWithoutPrivilegesShowsItsUserNeitherMappingsNorMemory() throws {
        let world = try UnprivilegedWorld()
        let agent = try world.unlock()
        let tool = world.path("vault-audit")
        // By a process of its own, as the world copies the others: a descriptor of ours could be inherited, and then
        // the program is busy.
        try #require(
            Command.run(["/bin/cp", Programs.path("vault-audit"), tool], environment: world.environment).code == 0)
        unsafe chmod(tool, 0o755)
        let seen = try world.run([tool, "memory", String(agent)])
        #expect(seen.code == 0, "\(seen.text)\(seen.err)")
        #expect(
            seen.lines.contains { $0.hasPrefix("ok  dump, ptrace") && $0.contains("belong to root") }, "\(seen.text)")
        #expect(seen.lines.contains { $0.hasPrefix("?   key mappings") }, "\(seen.text)")
    }

    @Test func aNumberThatIsNoProcessIsSaid() throws {
        let seen = try Command.run([Programs.path("vault-audit"), "memory", "4194303"], environment: [:])
        #expect(seen.code == 1)
        #expect(seen.err.contains("vault status --json"))
    }

    /// Reading goes on behind it, and the note that lay there is named with what to type.
    @Test func aDamagedPageIsNamedAndTheRestIsRead() throws {
        let world = try VaultWorld()
        for number in 0..<40 { _ = try world.new("note \(number) " + String(repeating: "word\(number) ", count: 300)) }
        try world.require(world.vault("lock"))
        let index = world.path("vault/index-1.db")
        let whole = try ProcFile.bytes(index)
        let (folder, kept) = (world.path("vault"), world.path("kept"))
        try FileManager.default.copyItem(atPath: folder, toPath: kept)
        // From the end on: the first pages are read when the vault opens.
        var isNamed = false
        for page in stride(from: whole.count / 4096 - 1, to: whole.count / 8192, by: -7) where !isNamed {
            var bytes = whole
            bytes[page * 4096 + 100] ^= 1
            // All of it, because a check writes a manifest that an older index does not fit.
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.copyItem(atPath: kept, toPath: folder)
            try Data(bytes).write(to: URL(filePath: index))
            unsafe chmod(index, 0o600)
            let checked = try world.vault("check", "--accept-rollback", "--password-file", world.passwordFile)
            #expect(checked.code == 13, "page \(page): \(checked.text)\(checked.err)")
            #expect(checked.text.contains("problem: a page"), "page \(page): \(checked.text)\(checked.err)")
            #expect(!checked.err.contains("cannot be read"), "page \(page): \(checked.err)")
            isNamed = checked.text.contains("no revision opens: type 'vault rm ")
        }
        #expect(isNamed, "no page of the notes themselves was among them")
    }
}
