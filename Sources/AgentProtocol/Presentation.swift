// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// How the client wants an answer written. The agent renders text, dates and JSON; the client only writes bytes.
public struct Presentation: Sendable, Equatable {
    public enum DateStyle: UInt8, Sendable, CaseIterable {
        case classic = 0
        case iso = 1
        case relative = 2
    }

    /// JSON for scripts instead of text.
    public var json = false
    /// Standard output is a terminal: control characters are made visible.
    public var isTerminal = false
    public var color = false
    /// The terminal shows links that can be followed (OSC 8).
    public var hyperlinks = false
    /// Pictures of a note are wanted, as frames of their own.
    public var wantsPictures = false
    /// Width of the terminal in columns; 0 when unknown.
    public var columns: UInt16 = 0
    public var dateStyle = DateStyle.classic
    /// The client's TZ, or empty for the system's zone.
    public var timeZone = ""
    /// Standard error is a terminal: progress may be drawn.
    public var wantsProgress = false

    public init() {}

    func encode(to writer: inout ByteWriter) {
        writer.flag(json)
        writer.flag(isTerminal)
        writer.flag(color)
        writer.flag(hyperlinks)
        writer.flag(wantsPictures)
        writer.u16(columns)
        writer.u8(dateStyle.rawValue)
        writer.text(timeZone)
        writer.flag(wantsProgress)
    }

    public init(from reader: inout ByteReader) throws(FormatError) {
        json = try reader.flag()
        isTerminal = try reader.flag()
        color = try reader.flag()
        hyperlinks = try reader.flag()
        wantsPictures = try reader.flag()
        columns = try reader.u16()
        guard let style = DateStyle(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        dateStyle = style
        timeZone = try reader.text(max: 256)
        wantsProgress = try reader.flag()
    }
}
