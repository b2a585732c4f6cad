// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultClient

/// All manual pages that are made from the commands.
public enum Manual {
    public struct Page: Sendable, Equatable {
        /// Such as `vault-new.1`.
        public let file: String
        public let text: String
    }

    /// The same pages for the same sources, whenever and wherever they are made.
    public static var pages: [Page] {
        let all = CommandPage.all
        return all.map { page in Page(file: CommandManual.name(page.path) + ".1", text: CommandManual(page: page, all: all).text) }
    }
}
