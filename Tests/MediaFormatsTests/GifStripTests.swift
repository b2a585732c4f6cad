// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing

struct GifStripTests {
    @Test func commentsAndXMPGoAndTheLoopStays() throws {
        let stripped = try PhotoMetadata.strip(GifFixture.rich)
        #expect(stripped.bytes == GifFixture.plain)
        #expect(stripped.removed == [.xmp, .comments, .trailingData, .other])
    }

    @Test func aPlainAnimationStaysAsItIs() throws {
        _ = try PhotoMetadataTests.unchanged(GifFixture.plain)
    }

    @Test func whatHidesBehindTheLoopCountGoes() throws {
        let loop = GifFixture.loop.dropLast() + [6] + text("Secret") + [0]
        let stripped = try PhotoMetadata.strip(GifFixture.start + loop + GifFixture.frame + [0x3B])
        #expect(stripped.bytes == GifFixture.start + GifFixture.loop + GifFixture.frame + [0x3B])
        #expect(stripped.removed == [.other])
    }

    @Test func aPictureWithoutAFrameOrAnEndIsRefused() {
        #expect(throws: MediaError(.malformed, offset: GifFixture.start.count)) {
            try PhotoMetadata.strip(GifFixture.start + [0x3B])
        }
        let open = GifFixture.start + GifFixture.frame
        #expect(throws: MediaError(.truncated, offset: open.count)) { try PhotoMetadata.strip(open) }
        #expect(throws: MediaError(.malformed, offset: open.count)) { try PhotoMetadata.strip(open + [0]) }
    }
}
