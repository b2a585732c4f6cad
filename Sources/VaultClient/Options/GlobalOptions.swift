// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import Dates

/// Options that every command takes, before or after its name.
public struct GlobalOptions: Sendable, Equatable {
    /// Directory of the vault; nil: `NOTEVAULT_DIR`, then the XDG data directory.
    public var vault: String?
    public var json = false
    public var passwordFile: String?
    public var passwordDescriptor: Int32?
    /// The key file that is needed with the password.
    public var keyFile: String?
    public var noInput = false
    public var acceptRollback = false
    /// Nil: as the settings say.
    public var dateStyle: DateStyleChoice?
    /// Nil: as the environment says, then the settings.
    public var color: ColorChoice?
    public var quiet = false

    public init() {}
}

/// How dates in lists look.
public enum DateStyleChoice: String, Sendable, CaseIterable {
    case classic, iso, relative

    public var style: DateStyle {
        switch self {
        case .classic: .classic
        case .iso: .iso
        case .relative: .relative
        }
    }
}

/// When to use colour.
public enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}
