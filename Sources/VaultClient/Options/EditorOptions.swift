// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What the commands that open an editor are told.
public struct EditorOptions: Sendable, Equatable {
    public var allowsUnknown: Bool
    public var allowsDisk: Bool
    public var yes: Bool

    public init(allowsUnknown: Bool = false, allowsDisk: Bool = false, yes: Bool = false) {
        self.allowsUnknown = allowsUnknown
        self.allowsDisk = allowsDisk
        self.yes = yes
    }
}
