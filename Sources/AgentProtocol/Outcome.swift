// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `Outcome` says how a request ended.
public struct Outcome: Sendable, Equatable {
    public var code: ExitCode
    /// What happened, in lower case, without a final stop; empty when all is well.
    public var message = ""
    /// What to type next; may be empty.
    public var hint = ""
    /// Notes that fit an ambiguous reference, at most ten.
    public var candidates: [Candidate] = []

    public struct Candidate: Sendable, Equatable {
        public var id: String
        public var title: String

        public init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

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
        writer.u8(UInt8(clamping: candidates.count))
        for candidate in candidates.prefix(255) {
            writer.text(candidate.id)
            writer.text(candidate.title)
        }
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard let code = ExitCode(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.code = code
        message = try reader.text(max: 65536)
        hint = try reader.text(max: 65536)
        for _ in 0..<(try reader.u8()) {
            candidates.append(Candidate(id: try reader.text(max: 64), title: try reader.text(max: 8192)))
        }
        try reader.end()
    }
}

/// `Progress` says how far a long request is.
public struct Progress: Sendable, Equatable {
    public var label: String
    public var done: UInt64
    /// 0 when unknown.
    public var total: UInt64
    /// Both count bytes, so that they have a rate.
    public var isBytes: Bool

    public init(label: String, done: UInt64, total: UInt64, isBytes: Bool = false) {
        self.label = label
        self.done = done
        self.total = total
        self.isBytes = isBytes
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.text(label)
        writer.u64(done)
        writer.u64(total)
        writer.flag(isBytes)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        label = try reader.text(max: 1024)
        done = try reader.u64()
        total = try reader.u64()
        isBytes = try reader.flag()
        try reader.end()
    }
}

/// `Hello` is the first frame of both sides.
public struct Hello: Sendable, Equatable {
    public var protocolVersion = Frame.protocolVersion
    public var programVersion = Frame.programVersion
    /// The client's `DirectoryIdentity`; empty from the agent.
    public var directory: [UInt8] = []

    public init(directory: [UInt8] = []) { self.directory = directory }

    /// Whether both sides are of one build.
    public var isOurs: Bool { protocolVersion == Frame.protocolVersion && programVersion == Frame.programVersion }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u16(protocolVersion)
        writer.text(programVersion)
        writer.lengthPrefixed(directory)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        protocolVersion = try reader.u16()
        programVersion = try reader.text(max: 64)
        directory = try reader.lengthPrefixed(max: DirectoryIdentity.byteCountMax)
        try reader.end()
    }
}
