// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// `AgeHeader` is the text at the start of an age file.
///
///     age-encryption.org/v1
///     one or more stanzas
///     --- base64 of HMAC-SHA-256 over all before, the three dashes included
///
/// Spec: c2sp.org/age, "Header".
struct AgeHeader {
    /// Thousands of recipients fit; more is not kept in memory on a file's say-so.
    static let byteCountMax = 256 * 1024
    static let stanzaCountMax = 1024
    static let tagByteCount = 32
    private static let versionPrefix = Array("age-encryption.org/".utf8)
    private static let versionLine = Array("age-encryption.org/v1".utf8)
    static let dashes = Array("---".utf8)
    static let arrow = Array("-> ".utf8)

    let kinds: [(kind: AgeStanza.Kind, body: [UInt8])]
    /// What the tag is about.
    let authenticated: [UInt8]
    let tag: [UInt8]

    /// Makes a header of its stanzas and its tag.
    ///
    /// - Throws: `AgeError.damaged` when a scrypt stanza is not alone: who knows the passphrase would otherwise not
    ///   know that the file is from someone who knows it too.
    init(stanzas: [AgeStanza], authenticated: [UInt8], tag: [UInt8]) throws(AgeError) {
        var kinds: [(kind: AgeStanza.Kind, body: [UInt8])] = []
        for stanza in stanzas {
            let kind = try stanza.kind()
            if case .scrypt = kind, stanzas.count > 1 { throw AgeError(.damaged, in: .header) }
            kinds.append((kind, stanza.body))
        }
        self.kinds = kinds
        self.authenticated = authenticated
        self.tag = tag
    }

    /// Returns the bytes of a new header.
    static func encode(_ stanzas: [AgeStanza], fileKey: borrowing SecretBytes) throws(AgeError) -> [UInt8] {
        var bytes = versionLine + [UInt8(ascii: "\n")]
        for stanza in stanzas { bytes += stanza.encoded }
        bytes += dashes
        guard bytes.count < byteCountMax, stanzas.count <= stanzaCountMax else {
            throw AgeError(.tooLarge, in: .header)
        }
        let tag = try AgeKeys.headerTag(fileKey, bytes)
        return bytes + [UInt8(ascii: " ")] + AgeBase64.text(tag) + [UInt8(ascii: "\n")]
    }

    /// Returns the file key, if one of the identities opens a stanza and the header is what its writer wrote.
    ///
    /// - Throws: `AgeError.noMatch`, `.damaged`, `.libraryFailure`.
    func fileKey(_ identities: [AgeIdentity]) throws(AgeError) -> SecretBytes {
        for (kind, body) in kinds {
            guard case .x25519(let share) = kind else { continue }
            for identity in identities {
                if let key = try identity.unwrap(share: share, body: body) { return try checked(key) }
            }
        }
        throw AgeError(.noMatch, in: .header)
    }

    /// Returns the file key as the function with identities does, with a passphrase.
    ///
    /// - Throws: also `AgeError.tooExpensive`.
    func fileKey(_ passphrase: AgePassphrase) throws(AgeError) -> SecretBytes {
        for (kind, body) in kinds {
            guard case .scrypt(let salt, let workFactor) = kind else { continue }
            if let key = try passphrase.unwrap(salt: salt, workFactor: workFactor, body: body) {
                return try checked(key)
            }
        }
        throw AgeError(.noMatch, in: .header)
    }

    private func checked(_ key: consuming SecretBytes) throws(AgeError) -> SecretBytes {
        guard SafeCompare.equal(try AgeKeys.headerTag(key, authenticated), tag) else {
            throw AgeError(.damaged, in: .headerTag)
        }
        return key
    }
}

extension AgeHeader {
    /// Reads a header and not a byte more.
    ///
    /// - Throws: `AgeError.unsupported` for another version, `.tooLarge`, `.damaged`, and what the input throws.
    init(reading input: any AgeInput) throws(AgeError) {
        var lines = Lines(input: input)
        try Self.readVersion(&lines)
        var stanzas: [AgeStanza] = []
        while true {
            let begin = lines.taken.count
            let line = try lines.next()
            if line.starts(with: Self.arrow) {
                guard stanzas.count < Self.stanzaCountMax else { throw AgeError(.tooLarge, in: .header) }
                stanzas.append(try Self.readStanza(line.dropFirst(Self.arrow.count), &lines))
            } else {
                let tag = try Self.tag(line)
                guard !stanzas.isEmpty else { throw AgeError(.damaged, in: .header) }
                try self.init(stanzas: stanzas, authenticated: lines.taken[..<begin] + Self.dashes, tag: tag)
                return
            }
        }
    }

    private static func readVersion(_ lines: inout Lines) throws(AgeError) {
        let line = try lines.next(limit: 128)
        guard line != versionLine[...] else { return }
        let version = line.dropFirst(versionPrefix.count)
        let isAnother =
            line.starts(with: versionPrefix) && !version.isEmpty && version.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        throw AgeError(isAnother ? .unsupported : .damaged, in: .header)
    }

    private static func readStanza(_ text: ArraySlice<UInt8>, _ lines: inout Lines) throws(AgeError) -> AgeStanza {
        let arguments = text.split(separator: 0x20, omittingEmptySubsequences: false)
        guard arguments.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 > 0x20 && $0 < 0x7f } }) else {
            throw AgeError(.damaged, in: .header)
        }
        var body: [UInt8] = []
        while true {
            let line = try lines.next()
            guard line.count <= AgeStanza.lineByteCount, let bytes = AgeBase64.decode(line) else {
                throw AgeError(.damaged, in: .header)
            }
            body += bytes
            if line.count < AgeStanza.lineByteCount {
                return AgeStanza(arguments: arguments.map { Array($0) }, body: body)
            }
        }
    }

    private static func tag(_ line: ArraySlice<UInt8>) throws(AgeError) -> [UInt8] {
        let start = dashes + [UInt8(ascii: " ")]
        guard line.starts(with: start), let tag = AgeBase64.decode(line.dropFirst(start.count)),
            tag.count == tagByteCount
        else {
            throw AgeError(.damaged, in: .header)
        }
        return tag
    }

    /// `Lines` reads lines that end with LF, and never more of them than a header may have.
    private struct Lines {
        let input: any AgeInput
        /// All lines so far, with their ends.
        private(set) var taken: [UInt8] = []

        init(input: any AgeInput) { self.input = input }

        /// Reads the next line.
        ///
        /// - Parameter limit: of this line, in bytes; a longer one is no header's.
        mutating func next(limit: Int = byteCountMax) throws(AgeError) -> ArraySlice<UInt8> {
            let begin = taken.count
            while let byte = try input.byte() {
                if byte == UInt8(ascii: "\n") {
                    taken.append(byte)
                    return taken[begin..<taken.count - 1]
                }
                guard taken.count - begin < limit else { throw AgeError(.damaged, in: .header) }
                guard taken.count < byteCountMax else { throw AgeError(.tooLarge, in: .header) }
                taken.append(byte)
            }
            throw AgeError(.damaged, in: .header)
        }
    }
}
