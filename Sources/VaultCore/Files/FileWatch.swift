// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `FileWatch` is what an open vault knows of the places of its files, which sync programs, a restore by hand or
/// another machine may change under it.
final class FileWatch {
    /// Why nothing is written any more; nil while all is in its place.
    var loss: VaultError?
    /// Whether the file system gives a file the same number twice. Where it does not, nothing is to be compared.
    let tellsPlace: Bool
    /// The manifest's two files as they were written last; nil when they were not written yet.
    var manifests: [FileIdentity?]?
    /// A file was written anew while nobody asked for anything: the next one who does hears of it.
    var isMended = false
    /// What tells other machines that the vault is open here; nil where the lock does.
    let lease: Lease?

    init(tellsPlace: Bool, lease: Lease?) {
        self.tellsPlace = tellsPlace
        self.lease = lease
    }
}
