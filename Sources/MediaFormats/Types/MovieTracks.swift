// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The kinds of the tracks of a film in ISO base media format, as far as they stand in its first bytes.
enum MovieTracks {
    /// Whether the whole list of tracks is in view, and every one of them is sound.
    static func areSoundOnly(in view: ByteView, after start: Int) -> Bool {
        guard let movie = BoxList(view, from: start).first(where: { $0.type == "moov" }) else { return false }
        var hasSound = false
        for track in BoxList(movie.payload) where track.type == "trak" {
            guard let media = BoxList(track.payload).first(where: { $0.type == "mdia" }),
                let handler = BoxList(media.payload).first(where: { $0.type == "hdlr" })
            else { return false }
            guard handler.payload.code(8) == "soun" else { return false }
            hasSound = true
        }
        return hasSound
    }
}
