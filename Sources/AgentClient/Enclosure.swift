// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory

/// `Enclosure` is what a request sends besides its fields.
@frozen public struct Enclosure: ~Copyable {
    /// Follows the request.
    public var secret: SecretBytes?
    /// An open file or pipe.
    public var descriptor: Int32?

    public init(secret: consuming SecretBytes? = nil, descriptor: Int32? = nil) {
        self.secret = secret
        self.descriptor = descriptor
    }

    var hasSecret: Bool {
        switch secret {
        case .none: false
        case .some: true
        }
    }
}
