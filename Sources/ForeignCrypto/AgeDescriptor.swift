// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `AgeDescriptor` makes blocking reads and writes of a descriptor that stays the caller's to close.
private enum AgeDescriptor {
    static func source(_ descriptor: Int32) -> AgeReader.Source {
        { target throws(AgeError) in
            while true {
                let got = unsafe Glibc.read(descriptor, target.baseAddress, target.count)
                if got >= 0 { return got }
                guard errno == EINTR else { throw AgeError(.inputOutput, systemError: errno) }
            }
        }
    }

    static func sink(_ descriptor: Int32) -> AgeWriter.Sink {
        { bytes throws(AgeError) in
            var done = 0
            while done < bytes.count {
                let put = unsafe Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if put >= 0 {
                    done += put
                } else if errno != EINTR {
                    throw AgeError(.inputOutput, systemError: errno)
                }
            }
        }
    }
}

extension AgeReader {
    /// Reads from a descriptor, which stays the caller's to close.
    public convenience init(identities: [AgeIdentity], form: Form = .either, descriptor: Int32) throws(AgeError) {
        try unsafe self.init(identities: identities, form: form, source: AgeDescriptor.source(descriptor))
    }

    /// Reads from a descriptor as the initializer with identities does, with a passphrase.
    public convenience init(passphrase: AgePassphrase, form: Form = .either, descriptor: Int32) throws(AgeError) {
        try unsafe self.init(passphrase: passphrase, form: form, source: AgeDescriptor.source(descriptor))
    }
}

extension AgeWriter {
    /// Writes to a descriptor, which stays the caller's to sync and close. The process must ignore SIGPIPE.
    public convenience init(recipients: [AgeRecipient], armored: Bool = false, descriptor: Int32) throws(AgeError) {
        try unsafe self.init(recipients: recipients, armored: armored, sink: AgeDescriptor.sink(descriptor))
    }

    /// Writes to a descriptor as the initializer with recipients does, under a passphrase.
    public convenience init(
        passphrase: AgePassphrase, workFactor: Int = AgePassphrase.workFactorDefault, armored: Bool = false,
        descriptor: Int32
    ) throws(AgeError) {
        try unsafe self.init(
            passphrase: passphrase, workFactor: workFactor, armored: armored, sink: AgeDescriptor.sink(descriptor))
    }
}
