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
    /// The client's TZ, or empty for the system's zone: "today" and times in a search are in this zone.
    public var timeZone = ""
    /// Somebody watches how far a long request is.
    public var wantsProgress = false
    /// No person asked for this: it does not reset the time until the vault locks automatically.
    public var isUnattended = false
    /// Tells terminals apart: row numbers refer to the last list there. The client's session (setsid(2)); 0 for
    /// none.
    public var terminal: UInt32 = 0
    /// A person sees the answer there, with row numbers.
    public var isShown = false
    /// Tags in a text also become the note's tags when it is written.
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
