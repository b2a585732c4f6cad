// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `ClientTraits` holds what an agent must know of the client to answer it: how the answer looks is the client's own
/// matter.
public struct ClientTraits: Sendable, Equatable {
    /// Thumbnails of a note's pictures are wanted, as frames of their own.
    public var wantsPictures = false
    /// Columns of a line around a search's hits.
    public var snippetColumns: UInt16 = 76
    /// The client's TZ, or empty for the system's zone: "today" and times in a search are meant there.
    public var timeZone = ""
    /// Somebody watches how far a long request is.
    public var wantsProgress = false
    /// No person asked for this: the time until the vault locks by itself goes on.
    public var isUnattended = false
    /// Tells terminals apart: rows of a list are those of the last one there. The client's session (setsid(2)); 0 for
    /// none.
    public var terminal: UInt32 = 0
    /// Somebody sees there what is answered, rows with their numbers.
    public var isShown = false
    /// Tags that stand in a text are the note's too when it is written.
    public var readsTags = true

    public init() {}

    func encode(to writer: inout ByteWriter) {
        writer.flag(wantsPictures)
        writer.u16(snippetColumns)
        writer.text(timeZone)
        writer.flag(wantsProgress)
        writer.flag(isUnattended)
        writer.u32(terminal)
        writer.flag(isShown)
        writer.flag(readsTags)
    }

    public init(from reader: inout ByteReader) throws(FormatError) {
        wantsPictures = try reader.flag()
        snippetColumns = try reader.u16()
        timeZone = try reader.text(max: 256)
        wantsProgress = try reader.flag()
        isUnattended = try reader.flag()
        terminal = try reader.u32()
        isShown = try reader.flag()
        readsTags = try reader.flag()
    }
}
