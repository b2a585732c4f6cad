// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What commands about keys are told of a new one.
public struct KeyOptions: Sendable, Equatable {
    /// Where a new password comes from; without either it is asked for on the terminal.
    public var newPasswordFile: String?
    public var newPasswordDescriptor: Int32?
    /// A key file that the new password needs beside it; it is made when it is not there.
    public var newKeyFile: String?
    public var kdfTargetMilliseconds: UInt32 = 1000
    /// Where a new recovery key is written to instead of the terminal.
    public var recoveryFile: String?
    /// Where its page for the drawer is written to.
    public var page: String?
    public init() {}
}

/// What `rotate` is told.
public struct RotateOptions: Sendable, Equatable {
    public var dryRun = false
    public var resume = false
    public var newPassword = false
    /// Keys whose passwords are not at hand may go.
    public var dropOthers = false
    public var key = KeyOptions()
    public init() {}
}
