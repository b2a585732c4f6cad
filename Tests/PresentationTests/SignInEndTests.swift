// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Dates
import Testing

@testable import Presentation

/// A sign-in that its service ends is warned of in time.
struct SignInEndTests {
    private static let day: Int64 = 86_400_000

    private func shown<Asked: Presented>(_ operation: Asked, _ reply: Asked.Reply, now: Int64) -> (String, String) {
        var style = PageStyle(clock: RenderingClock(now: now) { _ in 0 })
        style.isTerminal = true
        var page = Page(style)
        operation.present(reply, on: &page)
        var (output, talk) = ("", "")
        for piece in page.pieces {
            switch piece {
            case .output(let bytes): output += String(decoding: bytes, as: UTF8.self)
            case .talk(let bytes): talk += String(decoding: bytes, as: UTF8.self)
            }
        }
        return (output, talk)
    }

    private func row(_ ends: Int64) -> RemoteRow {
        var row = RemoteRow()
        (row.name, row.kind, row.place, row.signInEnds) = ("icloud", .rclone, "iclouddrive:notes", ends)
        return row
    }

    private func status(_ ends: Int64, now: Int64) -> (String, String) {
        var synced = SyncedRemote()
        synced.remote = row(ends)
        var report = SyncReport()
        report.remotes = [synced]
        return shown(SyncStatus(), report, now: now)
    }

    @Test func statusSaysUntilWhenASignInCounts() {
        let ends = 1_000 * Self.day
        let (output, talk) = status(ends, now: ends - 8 * Self.day)
        #expect(output.contains("signed in until about 27/09/72"), "\(output)")
        #expect(talk.isEmpty, "\(talk)")
    }

    @Test(arguments: [(6, "ends about"), (-1, "has ended, or will soon")]) func aSignInIsWarnedOf(
        daysLeft: Int64, words: String
    ) {
        let ends = 1_000 * Self.day
        var list = RemoteList()
        list.remotes = [row(ends)]
        let now = ends - daysLeft * Self.day
        for (_, talk) in [status(ends, now: now), shown(ListRemotes(), list, now: now)] {
            #expect(talk.contains("warning: Apple's sign-in for 'icloud' \(words)"), "\(talk)")
            #expect(talk.contains("vault remote login icloud renews it"))
        }
    }

    @Test func whereNobodyCanSayNothingIsSaid() {
        let (output, talk) = status(0, now: 2_000 * Self.day)
        #expect(!output.contains("signed in") && talk.isEmpty, "\(output)\(talk)")
    }
}
