// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A log whose end is incomplete: the vault opens, and says so once; nothing else ends an agent without a word.
@Suite struct TornLogTests {
    enum Way: String, CaseIterable { case cut, zeroed, flipped }

    /// A vault whose agent was killed with two notes in its log.
    private func crashed() throws -> (world: VaultWorld, notes: [String], log: URL) {
        let world = try VaultWorld()
        let notes = [try world.new("the first note")]
        // The manifest vouches for the first note after its burst of writes; for the second one nothing does yet.
        sleep(5)
        let last = try world.new("the last note")
        let agent = try world.agentPID()
        kill(agent, SIGKILL)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        return (world, notes + [last], URL(fileURLWithPath: world.directory + "/index-1.db-wal"))
    }

    @Test(arguments: Way.allCases) func A07ALastChangeThatIsNotWholeIsSaidAtUnlockAndInStatus(way: Way) throws {
        let (world, notes, file) = try crashed()
        var log = try Data(contentsOf: file)
        switch way {
        case .cut: log.removeLast(100)
        case .zeroed: log.replaceSubrange(log.count - 4120..<log.count, with: repeatElement(0, count: 4120))
        case .flipped: log[log.count - 100] ^= 1
        }
        try log.write(to: file)
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        #expect(opened.err.contains("vault: warning: the last change before 20"), "\(opened.err)")
        #expect(opened.err.contains("may not have been saved: the end of the log was incomplete"), "\(opened.err)")
        #expect(opened.err.contains("vault: hint: "))
        try world.agentPID()
        #expect(try world.vault("cat", notes[0]).text == "the first note")
        expectRefusal(try world.vault("cat", notes[1]), 5)
        #expect(try world.vault("status").text.contains("the end of the log was incomplete"))
        let torn = try JSON(world.vault("status", "--json"))["tornLog"]
        #expect(torn["frames"].int ?? 0 > 0 && torn["byteCount"].int ?? 0 > 0 && torn["lastWritten"].string != nil)
        try world.require(world.vault("lock"))
        let again = try world.tryUnlock()
        #expect(again.code == 0 && !again.err.contains("log"), "\(again.err)")
        #expect(try !world.vault("status").text.contains("incomplete"))
    }

    @Test func ALogThatIsWholeSaysNothing() throws {
        let (world, notes, _) = try crashed()
        let opened = try world.tryUnlock()
        #expect(opened.code == 0 && !opened.err.contains("log"), "\(opened.err)")
        #expect(try world.vault("cat", notes[1]).text == "the last note")
        #expect(try JSON(world.vault("status", "--json"))["tornLog"].string == nil)
        #expect(try !world.vault("status").text.contains("incomplete"))
    }
}
