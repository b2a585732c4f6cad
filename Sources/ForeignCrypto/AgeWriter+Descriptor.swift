// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension AgeWriter {
    /// Writes to a descriptor, which stays the caller's to sync and close. The process must ignore SIGPIPE.
    public convenience init(recipients: [AgeRecipient], armored: Bool = false, descriptor: Int32) throws(AgeError) {
        try unsafe self.init(recipients: recipients, armored: armored, sink: AgeDescriptor.sink(descriptor))
    }

    /// The same under a passphrase.
    public convenience init(
        passphrase: AgePassphrase, workFactor: Int = AgePassphrase.workFactorDefault, armored: Bool = false,
        descriptor: Int32
    ) throws(AgeError) {
        try unsafe self.init(
            passphrase: passphrase, workFactor: workFactor, armored: armored, sink: AgeDescriptor.sink(descriptor))
    }
}
