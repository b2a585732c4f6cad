// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Every command as a person sees it, in a terminal and in a pipe: Tests/ProgramTests/Transcripts.
@Suite struct TranscriptTests {
    @Test(arguments: Transcript.all) func aSessionShowsWhatItShowed(transcript: Transcript) throws {
        try transcript.check()
    }

    /// docs/guide, README.md and docs/faq.md: what they show is what happens.
    @Test(arguments: Transcript.pages) func aPageShowsWhatHappens(page: Transcript) throws { try page.check() }

    @Test func thereAreTranscripts() { #expect(Transcript.all.count >= 6 && Transcript.pages.count >= 8) }
}
