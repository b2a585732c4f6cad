// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// How a request ended.
public struct Outcome: Sendable, Equatable {
    public var code: ExitCode
    /// What happened, in lower case, without a final stop; empty when all is well.
    public var message = ""
    /// What to type next; may be empty.
    public var hint = ""

    public init(_ code: ExitCode, _ message: String = "", hint: String = "") {
        self.code = code
        self.message = message
        self.hint = hint
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u8(code.rawValue)
        writer.text(message)
        writer.text(hint)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard let code = ExitCode(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.code = code
        message = try reader.text(max: 65536)
        hint = try reader.text(max: 65536)
        try reader.end()
    }
}

/// How far a long request is.
public struct Progress: Sendable, Equatable {
    public var label: String
    public var done: UInt64
    /// 0 when unknown.
    public var total: UInt64

    public init(label: String, done: UInt64, total: UInt64) {
        self.label = label
        self.done = done
        self.total = total
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.text(label)
        writer.u64(done)
        writer.u64(total)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        label = try reader.text(max: 1024)
        done = try reader.u64()
        total = try reader.u64()
        try reader.end()
    }
}

/// The first frame of both sides.
public struct Hello: Sendable, Equatable {
    public var protocolVersion = Frame.protocolVersion
    public var programVersion = Frame.programVersion

    public init() {}

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u16(protocolVersion)
        writer.text(programVersion)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        protocolVersion = try reader.u16()
        programVersion = try reader.text(max: 64)
        try reader.end()
    }
}
