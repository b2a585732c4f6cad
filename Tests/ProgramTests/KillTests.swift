// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

/// The agent is killed at random moments. `VAULT_KILLS` says how often: 40 times when not given, 200 for a release.
@Suite struct KillTests {
    static let killCount = Programs.text(of: "VAULT_KILLS").flatMap { Int($0) } ?? 40

    @Test func killedTwoHundredTimesNoAcknowledgedNoteIsLost() throws {
        let world = try VaultWorld(unlocked: false)
        var load = WriteLoad()
        for round in 0..<Self.killCount {
            switch round % 8 {
            case 6: try killDuringUnlock(world)
            case 7: try killDuringLock(world)
            default:
                let agent = try world.unlock()
                let line = try AgentLine.greeted(#require(world.socket))
                try load.compare(with: line)
                let killer = Thread {
                    usleep(.random(in: 0..<120_000))
                    kill(agent, SIGKILL)
                }
                killer.start()
                load.writeUntilTheEnd(line)
                #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
            }
        }
        try world.unlock()
        try load.compare(with: AgentLine.greeted(#require(world.socket)))
        #expect(load.texts.count >= min(10, Self.killCount), "the load has written something in between")
        let listed = try JSON(world.vault("ls", "--all", "--json"))["notes"].array.compactMap { $0["id"].string }
        #expect(Set(listed).isSuperset(of: load.texts.keys))
        let check = try JSON(world.vault("check", "--json"))
        #expect(check["clean"].bool == true, "\(check["problems"])")
    }

    private func killDuringUnlock(_ world: VaultWorld) throws {
        let client = try Child(
            [Programs.path("vault"), "unlock", "--password-file", world.passwordFile], environment: world.environment)
        let begin = Clock.seconds
        var agent: pid_t?
        while agent == nil && !client.hasEnded && Clock.seconds < begin + 10 {
            agent = (try? ProcFile.text(client.pid, "task/\(client.pid)/children"))?.split(separator: " ").first.flatMap
            { pid_t($0) }
        }
        usleep(.random(in: 0..<500_000))
        if let agent, VaultWorld.isAgent(agent) { kill(agent, SIGKILL) }
        #expect(client.wait(seconds: 20) != nil)
        if let agent { #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil) }
    }

    private func killDuringLock(_ world: VaultWorld) throws {
        let agent = try world.unlock()
        _ = try world.new("a note before the lock")
        let client = try Child([Programs.path("vault"), "lock"], environment: world.environment)
        usleep(.random(in: 0..<40_000))
        kill(agent, SIGKILL)
        #expect(client.wait(seconds: 20) != nil)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
    }

    @Test func anAgentThatEndsInMidRequestIsReported() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let id = try world.require(world.vault("new", input: [UInt8](repeating: 0x61, count: 8 << 20))).id
        // Nobody reads the pipe: the client waits in a write of the first note and the agent, with the others, for the
        // client, until it is killed.
        let script =
            "\"$0\" cat \"$1\" \"$1\" \"$1\" \"$1\" \"$1\" \"$1\" | (sleep 1; kill -9 \"$2\"; cat >/dev/null); exit ${PIPESTATUS[0]}"
        let shell = ["/bin/bash", "-c", script, Programs.path("vault"), id, "\(agent)"]
        expectRefusal(
            try Command.run(shell, environment: world.environment), 1, says: "the agent ended before it answered")
        #expect(try world.tryUnlock().code == 0)
        #expect(try world.vault("cat", id).out.count == 8 << 20)
    }
}
