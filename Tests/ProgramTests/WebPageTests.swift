// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// The page by its real programs: requests of every kind that nobody should send (Tests/Web/hostile.py), and a real
/// browser (Tests/Web/browser.py). Each case is a vault, an agent, a server of its own.
@Suite struct WebPageTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private func run(_ script: String, _ name: String, with python: String) throws {
        let finished = try Command.run(
            [python, "-B", "\(Self.package)/Tests/Web/\(script)", "--bin", Programs.directory, name],
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/tmp"], seconds: 300)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        #expect(finished.text.contains("ok \(name)"), "\(finished.text)")
    }

    private func request(_ name: String) throws {
        try run("hostile.py", name, with: try #require(Programs.system("python3")))
    }

    private func browse(_ name: String) throws {
        let python = "\(Self.package)/bench-out/venv/bin/python3"
        try #require(FileManager.default.isExecutableFile(atPath: python), "Scripts/setup.sh test installs it")
        try run("browser.py", name, with: python)
    }

    @Test(.enabled(if: Privileges.canBeOtherUser)) func F07anotherUserIsNotAnswered() throws {
        try request("other_user")
    }
    @Test func F01anotherNameOfThisMachineIsNotAnswered() throws { try request("other_names") }
    @Test func F02anotherSitesRequestsAreRefused() throws { try request("other_sites") }
    @Test func F03aTokenCountsOnceAndNobodyGuessesIt() throws { try request("token") }
    @Test func F03aTokenIsWorthNothingAfterHalfAMinute() throws { try request("old_token") }
    @Test func F09headsThatCanBeReadInTwoWaysAreRefused() throws { try request("malformed") }
    @Test func F06everyAnswerHasTheSameFields() throws { try request("fields_of_answers") }
    @Test func F08noAnswerMayBeStored() throws { try request("fields_of_answers") }
    @Test func requestsInARowAreAnswered() throws { try request("requests_in_a_row") }
    @Test func F09theServerIsConfined() throws { try request("confinement") }
    @Test func F11theLockEndsThePage() throws { try request("locked") }
    @Test func F10whatWasTypedIsADraftWhenTheServerIsKilled() throws { try request("killed_server") }
    @Test func F04anAttachmentIsWhatOurRecordSays() throws { try request("attachments") }
    @Test func F09readersThatSeekOrStopHoldNobodyUp() throws { try request("seeks") }
    @Test func aPhotoLosesItsPlaceOnTheWay() throws { try request("photos") }
    @Test func thePageOpensAVaultThatIsLocked() throws { try request("unlock") }
    @Test func F12aServerStartsNoProgramsButThoseOfTheList() throws { try request("programs") }

    @Test func theMainJobIsDoneByKeyboardAlone() throws { try browse("by_keyboard") }
    @Test func aDrawingIsKeptAndDrawnOn() throws { try browse("drawing") }
    @Test func aNoteIsMadePrivateAndLockedAgain() throws { try browse("private") }
    @Test func F10changesAreSeenAtOnceAndNothingTypedIsOverwritten() throws { try browse("live") }
    @Test func twoVersionsAreSeenSideBySide() throws { try browse("two_versions") }
    @Test func F05aHostileNoteRunsNowhereAndLoadsNothing() throws { try browse("hostile") }
    @Test func F08nothingIsLeftInTheBrowsersProfile() throws { try browse("disk") }
    @Test func everyScreenFitsAndIsWithoutMistakes() throws { try browse("narrow") }
    @Test func filesComeInAndEverythingGoesOut() throws { try browse("programs") }
    @Test func whatIsSaidBecomesTextByTheOwnersProgramAlone() throws { try browse("speaking") }
    @Test func F10aRecordingIsKeptWhileItIsMade() throws { try browse("recording") }
    @Test func F03atANumberAFieldHasTheKey() throws { try request("numeric") }
    @Test func atANumberThePageDoesAllItDoes() throws { try browse("numeric") }
    @Test func theMainJobIsDoneBehindATunnel() throws { try browse("tunnel") }
    @Test func F02strangersReadAndChangeNothing() throws { try browse("strangers") }
    @Test func F09whatIsAnsweredOtherReadersReadAlike() throws {
        let python = "\(Self.package)/bench-out/venv/bin/python3"
        try #require(FileManager.default.isExecutableFile(atPath: python), "Scripts/setup.sh test installs it")
        try run("readers.py", "readers", with: python)
    }
    @Test func somebodySignsInToDropboxOnThePage() throws { try browse("signing_in") }
    @Test func whatRcloneAsksIsAnsweredOnThePage() throws { try browse("other_services") }
    @Test func theMainJobIsDoneByTouchAlone() throws { try browse("touching") }
}
