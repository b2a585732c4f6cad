// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// `AgeWriter` writes an age file as its content comes, in constant memory.
///
/// For one thread at a time. What it gave out before `finish()` returned is an incomplete file, and every reader will
/// say so. Not hidden: the size of the content, and the number of recipients. Spec: c2sp.org/age.
@safe public final class AgeWriter {
    /// A `Sink` takes all bytes that it is given, or throws. They are ciphertext.
    public typealias Sink = (UnsafeRawBufferPointer) throws(AgeError) -> Void

    private let sink: Sink
    private var chunks: AgeChunks
    private var armor: ArmorWriter?
    /// A chunk waits here until it is known whether it is the last.
    private var content = SecretBytes(zeroes: AgeChunks.contentByteCount)
    private var held = 0
    private var sealed = [UInt8](repeating: 0, count: AgeChunks.sealedByteCount)
    private var isFinished = false
    private var failure: AgeError?

    /// Begins a file that any of `recipients` can read, and writes its header.
    ///
    /// - Parameter armored: whether the file is text.
    /// - Throws: `AgeError.badKey` for no recipients, `.tooLarge` for more than 1,024, `.libraryFailure`, and what
    ///   `sink` throws.
    public convenience init(recipients: [AgeRecipient], armored: Bool = false, sink: @escaping Sink) throws(AgeError) {
        guard !recipients.isEmpty else { throw AgeError(.badKey) }
        guard recipients.count <= AgeHeader.stanzaCountMax else { throw AgeError(.tooLarge, in: .header) }
        let fileKey = try SecureRandom.ageSecret(AgeKeys.fileKeyByteCount)
        var stanzas: [AgeStanza] = []
        for recipient in recipients { stanzas.append(try recipient.wrap(fileKey)) }
        try unsafe self.init(fileKey, stanzas, armored: armored, sink: sink)
    }

    /// Begins a file that is read with a passphrase, and writes its header.
    ///
    /// - Parameter workFactor: base-two logarithm of scrypt's N, 1 to 22.
    public convenience init(
        passphrase: AgePassphrase, workFactor: Int = AgePassphrase.workFactorDefault, armored: Bool = false,
        sink: @escaping Sink
    ) throws(AgeError) {
        let fileKey = try SecureRandom.ageSecret(AgeKeys.fileKeyByteCount)
        let stanza = try passphrase.wrap(fileKey, workFactor: workFactor)
        try unsafe self.init(fileKey, [stanza], armored: armored, sink: sink)
    }

    private init(_ fileKey: borrowing SecretBytes, _ stanzas: [AgeStanza], armored: Bool, sink: @escaping Sink)
        throws(AgeError)
    {
        let nonce = try SecureRandom.ageBytes(AgeKeys.payloadNonceByteCount)
        let start = try AgeHeader.encode(stanzas, fileKey: fileKey) + nonce
        chunks = try AgeChunks(key: AgeKeys.payloadKey(fileKey, nonce: nonce), encrypting: true)
        unsafe self.sink = sink
        armor = armored ? ArmorWriter() : nil
        try unsafe start.withUnsafeBufferPointer { bytes throws(AgeError) in
            try unsafe put(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Adds content.
    ///
    /// - Throws: after a failure always that failure.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(AgeError) {
        precondition(!isFinished, "a finished age file takes no more content")
        try guarded { () throws(AgeError) in
            var rest = unsafe bytes
            while rest.count > 0 {
                if held == AgeChunks.contentByteCount { try sealHeld(isLast: false) }
                if held == 0, rest.count > AgeChunks.contentByteCount {
                    // More follows for certain: no copy is needed.
                    try unsafe seal(
                        UnsafeRawBufferPointer(rebasing: rest[..<AgeChunks.contentByteCount]), isLast: false)
                    unsafe rest = UnsafeRawBufferPointer(rebasing: rest[AgeChunks.contentByteCount...])
                    continue
                }
                let count = min(AgeChunks.contentByteCount - held, rest.count)
                unsafe content.withUnsafeMutableBytes { target in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[held..<held + count]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
                }
                held += count
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Adds content that its caller need not keep secret in memory.
    public func write(_ bytes: [UInt8]) throws(AgeError) {
        try unsafe bytes.withUnsafeBufferPointer { part throws(AgeError) in
            try unsafe write(UnsafeRawBufferPointer(part))
        }
    }

    /// Writes the last chunk. Only now is there a whole file; making it durable is the caller's.
    public func finish() throws(AgeError) {
        precondition(!isFinished, "an age file is finished once")
        try guarded { () throws(AgeError) in
            try sealHeld(isLast: true)
            if let text = armor?.finish() {
                try unsafe text.withUnsafeBufferPointer { part throws(AgeError) in
                    try unsafe sink(UnsafeRawBufferPointer(part))
                }
            }
            isFinished = true
        }
    }

    /// Runs a step, and throws its error again at every further one: after a sink has failed nobody knows what is in
    /// the file, so nothing more is added to it.
    private func guarded(_ body: () throws(AgeError) -> Void) throws(AgeError) {
        if let failure { throw failure }
        do { try body() } catch {
            failure = error
            throw error
        }
    }

    private func sealHeld(isLast: Bool) throws(AgeError) {
        let count = held
        held = 0
        try unsafe content.withUnsafeBytes { bytes throws(AgeError) in
            try unsafe seal(UnsafeRawBufferPointer(rebasing: bytes[..<count]), isLast: isLast)
        }
    }

    private func seal(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(AgeError) {
        let count = bytes.count + ChaCha20Poly1305.tagByteCount
        try unsafe sealed.withUnsafeMutableBufferPointer { target throws(AgeError) in
            let whole = UnsafeMutableRawBufferPointer(target)
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: whole[..<count])
            try unsafe chunks.seal(bytes, isLast: isLast, into: part)
            try unsafe put(UnsafeRawBufferPointer(part))
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws(AgeError) {
        guard let text = unsafe armor?.text(of: bytes) else { return try unsafe sink(bytes) }
        try unsafe text.withUnsafeBufferPointer { part throws(AgeError) in try unsafe sink(UnsafeRawBufferPointer(part))
        }
    }
}
