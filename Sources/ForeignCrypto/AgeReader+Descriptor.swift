// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension AgeReader {
    /// Reads from a descriptor, which stays the caller's to close.
    public convenience init(identities: [AgeIdentity], form: Form = .either, descriptor: Int32) throws(AgeError) {
        try unsafe self.init(identities: identities, form: form, source: AgeDescriptor.source(descriptor))
    }

    /// The same with a passphrase.
    public convenience init(passphrase: AgePassphrase, form: Form = .either, descriptor: Int32) throws(AgeError) {
        try unsafe self.init(passphrase: passphrase, form: form, source: AgeDescriptor.source(descriptor))
    }
}
