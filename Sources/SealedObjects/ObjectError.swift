// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Why an object could not be written or read. It holds no name and no content.
public struct ObjectError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        /// A wrong key, or bytes that are not those that were sealed.
        case notAuthentic
        /// The source changed while it was read.
        case changed
        case cancelled
        case tooLarge
        /// The other end of a pipe sent or took nothing for too long.
        case stalled
        /// The other end of a pipe closed it before the end.
        case closed
        /// Neither a regular file nor a pipe.
        case notAFileOrPipe
        /// The disk is full.
        case noRoom
        case io
        case libraryFailure
    }

    public let code: Code
    /// errno of `io`; 0 for others.
    public let systemError: Int32

    public init(_ code: Code, systemError: Int32 = 0) {
        self.code = code
        self.systemError = systemError
    }
}
