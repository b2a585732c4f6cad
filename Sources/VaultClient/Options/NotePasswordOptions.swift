// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Where the passwords of a private note come from; without either they are asked for on the terminal.
public struct NotePasswordOptions: Sendable, Equatable {
    public var file: String?
    public var descriptor: Int32?
    /// Of a new password, where an old one is needed too.
    public var newFile: String?
    public var newDescriptor: Int32?
    public init() {}
}
