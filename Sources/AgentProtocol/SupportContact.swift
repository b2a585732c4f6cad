// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Where people find the project and its authors.
public enum SupportContact {
    public static let website = "https://github.com/notevault/vault"
    public static let email = "support@notevault.example"
}
