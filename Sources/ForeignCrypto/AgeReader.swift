// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `AgeReader` reads an age file piece by piece, in constant memory.
///
/// Each piece is authentic and in its place when it is given out; that the file is whole is known only when `read` has
/// returned 0. A caller that cannot take content back must wait for that. For one thread at a time. Spec: c2sp.org/age.
@safe public final class AgeReader {
    /// A `Source` fills a part of the buffer and returns its size, 0 at the end.
    public typealias Source = (UnsafeMutableRawBufferPointer) throws(AgeError) -> Int

    /// `Form` says how the file is written down.
    public enum Form: Sendable {
        case binary
        case armored
        /// Armored when it starts with white space or a dash, which a binary file never does.
        case either
    }

    private let input: any AgeInput
    private var chunks: AgeChunks
    private var sealed = [UInt8](repeating: 0, count: AgeChunks.sealedByteCount)
    private var content = SecretBytes(zeroes: AgeChunks.contentByteCount)
    /// The part of `content` that was not given out yet.
    private var given = 0
    private var held = 0
    private var isLast = false
    private var failure: AgeError?

    /// Reads the header with secret keys.
    ///
    /// - Throws: `AgeError.noMatch`, `.damaged`, `.unsupported`, `.tooLarge`, `.libraryFailure`, and what `source`
    ///   throws.
    public convenience init(identities: [AgeIdentity], form: Form = .either, source: @escaping Source) throws(AgeError)
    {
        let input = try unsafe Self.input(form, source)
        let header = try AgeHeader(reading: input)
        try self.init(input, header.fileKey(identities))
    }

    /// Reads the header with a passphrase.
    ///
    /// - Throws: also `AgeError.tooExpensive`.
    public convenience init(passphrase: AgePassphrase, form: Form = .either, source: @escaping Source) throws(AgeError)
    {
        let input = try unsafe Self.input(form, source)
        let header = try AgeHeader(reading: input)
        try self.init(input, header.fileKey(passphrase))
    }

    private init(_ input: any AgeInput, _ fileKey: borrowing SecretBytes) throws(AgeError) {
        var nonce = [UInt8](repeating: 0, count: AgeKeys.payloadNonceByteCount)
        let got = try unsafe nonce.withUnsafeMutableBufferPointer { target throws(AgeError) in
            try unsafe input.read(into: UnsafeMutableRawBufferPointer(target))
        }
        guard got == nonce.count else { throw AgeError(.damaged, in: .header) }
        chunks = try AgeChunks(key: AgeKeys.payloadKey(fileKey, nonce: nonce), encrypting: false)
        self.input = input
    }

    private static func input(_ form: Form, _ source: @escaping Source) throws(AgeError) -> any AgeInput {
        let raw = unsafe BufferedInput(source)
        switch form {
        case .binary: return raw
        case .armored: return ArmorReader(raw)
        case .either:
            guard let first = try raw.peek(), first == UInt8(ascii: "-") || AgeArmor.isSpace(first) else { return raw }
            return ArmorReader(raw)
        }
    }

    /// Gives out more of the content.
    ///
    /// - Returns: how many bytes of `target` were written; 0 when the file has ended as its writer ended it.
    /// - Throws: `AgeError.damaged`, what the source throws, and then the same at each further call.
    public func read(into target: UnsafeMutableRawBufferPointer) throws(AgeError) -> Int {
        guard target.count > 0 else { return 0 }
        if let failure { throw failure }
        do {
            while given == held {
                guard try nextChunk() else { return 0 }
            }
        } catch {
            failure = error
            throw error
        }
        let count = min(held - given, target.count)
        unsafe content.withUnsafeMutableBytes { bytes in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[given..<given + count]))
        }
        given += count
        return count
    }

    /// Opens the next chunk into `content`; false at the end of the file, after which nothing may follow.
    private func nextChunk() throws(AgeError) -> Bool {
        guard !isLast else {
            guard try input.byte() == nil else { throw damage }
            return false
        }
        let got = try unsafe sealed.withUnsafeMutableBufferPointer { target throws(AgeError) in
            try unsafe input.read(into: UnsafeMutableRawBufferPointer(target))
        }
        guard got >= ChaCha20Poly1305.tagByteCount else { throw damage }
        let count = got - ChaCha20Poly1305.tagByteCount
        // A full chunk may be the last one or not, a shorter one must be; the nonce says it, and only the writer can
        // have chosen it.
        let isFull = got == AgeChunks.sealedByteCount
        let goesOn = isFull ? try open(got, isLast: false) : false
        if !goesOn {
            // The last chunk is empty only when the whole content is: otherwise one content would have two files.
            guard count > 0 || chunks.number == 0, try open(got, isLast: true) else { throw damage }
            isLast = true
        }
        given = 0
        held = count
        return true
    }

    private func open(_ byteCount: Int, isLast: Bool) throws(AgeError) -> Bool {
        try unsafe sealed.withUnsafeBufferPointer { bytes throws(AgeError) in
            let part = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<byteCount])
            return try unsafe content.withUnsafeMutableBytes { target throws(AgeError) in
                let place = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: target[..<(byteCount - ChaCha20Poly1305.tagByteCount)])
                return try unsafe chunks.open(part, isLast: isLast, into: place)
            }
        }
    }

    private var damage: AgeError { AgeError(.damaged, in: .payload) }
}
