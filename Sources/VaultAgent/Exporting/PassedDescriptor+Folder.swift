// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

extension PassedDescriptor {
    /// `FolderRefusal` says why a folder is not written to.
    enum FolderRefusal: Error, Equatable {
        /// It is not a folder, or only a path to one.
        case notAFolder
        /// Another user's, or open to others, or on its way out.
        case notOurs
        case notEmpty
    }

    /// Checks that this is a directory that is ours, 0700, still there, empty, and open for more than its path.
    ///
    /// The client has just made it. Whatever else is passed here is a mistake or worse, and nothing is written into it.
    func checkEmptyFolder() throws(FolderRefusal) {
        let flags = fcntl(descriptor, F_GETFL)
        var status = stat()
        guard flags >= 0, flags & Self.pathOnly == 0, unsafe fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFDIR
        else {
            throw .notAFolder
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o7777 == 0o700, status.st_nlink > 0 else { throw .notOurs }
        guard isEmptyFolder else { throw .notEmpty }
    }

    /// Read through a descriptor of its own: the client's place in the directory stays where it is.
    private var isEmptyFolder: Bool {
        let own = unsafe vs_open_at(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        guard own >= 0 else { return false }
        guard let listing = unsafe fdopendir(own) else {
            close(own)
            return false
        }
        defer { unsafe closedir(listing) }
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if name != [0x2E] && name != [0x2E, 0x2E] { return false }
        }
        return true
    }
}
