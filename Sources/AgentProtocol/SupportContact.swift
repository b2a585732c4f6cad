// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims

/// `SupportContact` tells where people find the project and its authors: what this build was told by `VAULT_WEBSITE`
/// and `VAULT_SUPPORT_EMAIL` (Package.swift).
public enum SupportContact {
    /// Nil when this build names none.
    public static let website = unsafe text(vs_website())
    /// Nil when this build names none.
    public static let email = unsafe text(vs_support_email())

    private static func text(_ setting: UnsafePointer<CChar>) -> String? {
        let text = unsafe String(cString: setting)
        return text.isEmpty ? nil : text
    }
}
