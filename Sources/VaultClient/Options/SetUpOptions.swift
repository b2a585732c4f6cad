// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What `init` is told.
public struct InitOptions: Sendable, Equatable {
    public var kdfTargetMilliseconds: UInt32 = 1000
    public var noRecovery = false
    public var recoveryFile: String?
    public init() {}
}

/// What `unlock` is told.
public struct UnlockCommandOptions: Sendable, Equatable {
    public var recovery = false
    public var idleSeconds: UInt32 = 15 * 60
    public var maxSeconds: UInt32 = 8 * 3600
    public init() {}
}
