// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// `ObjectError` says why an object was not written or not read. It names no file and holds no content.
public struct ObjectError: Error, Sendable, Equatable {
    /// The cases are closed on purpose: a caller that answers for one of them answers for all.
    public enum Code: Sendable, Hashable {
        /// Wrong key, wrong place, or bytes, size or padding that were altered. They are not told apart.
        case notAuthentic
        /// The source was written, cut or lengthened while it was read, or is not as long as its file system says.
        case changed
        /// The progress closure said so.
        case cancelled
        /// More content than was allowed, or a range beyond the content.
        case tooLarge
        /// The other end of a pipe sent or took nothing for too long.
        case stalled
        /// The pipe's reader has closed it.
        case closed
        /// A directory, socket, device or bare path, or a pipe where a file is needed.
        case notAFileOrPipe
        /// The disk, the quota or the largest size of a file is used up.
        case noRoom
        /// Any other failure of the system; `systemError` says which.
        case io
        /// libcrypto or the kernel's random generator failed.
        case libraryFailure
    }

    /// Compare this.
    public let code: Code
    /// The system's errno where there was one, else 0.
    public let systemError: Int32

    public init(_ code: Code, systemError: Int32 = 0) {
        self.code = code
        self.systemError = systemError
    }

    /// Judges errno after a call that failed.
    init(errno number: Int32) {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: self.init(.noRoom, systemError: number)
        case EPIPE: self.init(.closed, systemError: number)
        default: self.init(.io, systemError: number)
        }
    }

    init(_ error: CryptoError) { self.init(error.code == .notAuthentic ? .notAuthentic : .libraryFailure) }
}
