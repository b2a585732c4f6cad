// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension Keyslot {
    /// `Kind` is what opens a keyslot: on disk, on the socket and on screen. All that is known of a kind without its
    /// secret is here. Spec: docs/format.md §5
    public enum Kind: UInt8, Sendable, CaseIterable {
        case password = 1
        case recoveryKey = 2
        /// A password, and a key file as Argon2id's secret value.
        case passwordAndKeyFile = 3

        /// Whether its key is derived with Argon2id, at the slot's cost.
        public var usesArgon2: Bool { traits.usesArgon2 }
        /// The words for it, for people and in the JSON of `vault`.
        public var words: String { traits.words }
        /// The name for it in the JSON of `vault-audit`.
        public var identifier: String { traits.identifier }

        private var traits: (identifier: String, words: String, usesArgon2: Bool) {
            switch self {
            case .password: ("password", "password", true)
            case .recoveryKey: ("recoveryKey", "recovery key", false)
            case .passwordAndKeyFile: ("passwordAndKeyFile", "password and key file", true)
            }
        }
    }
}
