// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import Dates

/// `GlobalOptions` holds options that every command takes, before or after its name.
public struct GlobalOptions: Sendable, Equatable, ArgumentGroup {
    /// Directory of the vault; nil: `NOTEVAULT_DIR`, then the XDG data directory.
    public var vault: String?
    public var json = false
    public var passwordFile: String?
    public var passwordDescriptor: Int32?
    /// The key file that is needed with the password.
    public var keyFile: String?
    public var noInput = false
    public var acceptRollback = false
    public var acceptLoss = false
    /// Nil: as the settings say.
    public var dateStyle: DateStyleChoice?
    /// Nil: as the environment says, then the settings.
    public var color: ColorChoice?
    public var quiet = false

    public init() {}

    mutating func declare(_ list: inout ArgumentList) {
        list.option(
            &vault, "vault", value: "dir", "The vault's directory (else NOTEVAULT_DIR, else the XDG data directory).",
            completion: .folder)
        list.flag(&json, "json", "Answer in JSON, for scripts.")
        list.option(&passwordFile, "password-file", value: "file", "Read the password from a file.", completion: .file)
        list.option(&passwordDescriptor, "password-fd", value: "n", "Read the password from an open descriptor.")
        list.option(
            &keyFile, "key-file", value: "file", "The key file that is needed with the password.", completion: .file)
        list.flag(&noInput, "no-input", "Never ask anything.")
        list.flag(&acceptRollback, "accept-rollback", "Open a copy of the vault that is older than the one last seen.")
        list.flag(&acceptLoss, "accept-loss", "Open a damaged vault without the changes that cannot be read.")
        list.option(&dateStyle, "date-style", "Dates in lists.")
        list.option(&color, "color", "When to use colour.")
        list.flag(&quiet, "quiet", letter: "q", "Print only answers, warnings and errors.")
    }

    static var names: OptionNames {
        var (options, list) = (GlobalOptions(), ArgumentList.naming)
        options.declare(&list)
        return list.names
    }

    /// As help shows them; `--help` is the last.
    static var descriptions: [ArgumentDescription] {
        var (options, list) = (GlobalOptions(), ArgumentList.describing)
        options.declare(&list)
        let all = list.descriptions.map { option in
            var option = option
            option.isGlobal = true
            return option
        }
        return all + [.help]
    }
}

/// `DateStyleChoice` says how dates in lists look.
public enum DateStyleChoice: String, Sendable, CaseIterable, ArgumentValue {
    case classic, iso, relative, locale

    public var style: DateStyle {
        switch self {
        case .classic: .classic
        case .iso: .iso
        case .relative: .relative
        case .locale: .locale
        }
    }
}

/// `ColorChoice` says when to use colour.
public enum ColorChoice: String, Sendable, CaseIterable, ArgumentValue {
    case auto, always, never
}
