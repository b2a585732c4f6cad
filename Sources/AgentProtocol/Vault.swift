// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Looks at a vault's directory before it is open: its header, its owner, its pin. No secret is asked for before this
/// succeeds.
public struct ProbeVault: Operation {
    public static let id: UInt8 = 0x01
    public static let traits: OperationTraits = []
    public typealias Reply = ProbedVault
    public var directory: [UInt8] = []
    public var acceptRollback = false
    /// A vault without a manifest, or with a damaged log, is opened as far as it is whole.
    public var acceptLoss = false
    public init() {}

    public init(directory: [UInt8], acceptRollback: Bool, acceptLoss: Bool = false) {
        (self.directory, self.acceptRollback, self.acceptLoss) = (directory, acceptRollback, acceptLoss)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&directory, max: 4096)
        try fields.flag(&acceptRollback)
        try fields.flag(&acceptLoss)
    }
}

/// Opens the vault. The secret is the credential; none follows for a vault that was made on this connection.
///
/// It also recovers what editors left, and deletes old drafts.
public struct UnlockVault: Operation {
    public static let id: UInt8 = 0x02
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = OpenedVault
    public var credential: CredentialKind = .password
    /// True for `vault unlock`: stay and listen; false for one command.
    public var stays = false
    /// Seconds without a request until it locks automatically.
    public var idleSeconds: UInt32 = 15 * 60
    /// Seconds without use until a private note locks automatically.
    public var noteIdleSeconds: UInt32 = 5 * 60
    /// Seconds until it locks in any case.
    public var maxSeconds: UInt32 = 8 * 3600
    /// Also from another machine that has it open, on the owner's word.
    public var takesOver = false
    /// Also tries slots that ask for far more work than is known here: `ProbedVault` names them.
    public var triesDearKeys = false
    /// It is the vault that was made on this connection just now, and opens with the keys that it was made with.
    public var isMadeHere = false
    public var needsSecret: Bool { !isMadeHere }
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&credential)
        try fields.flag(&stays)
        try fields.u32(&idleSeconds)
        try fields.u32(&noteIdleSeconds)
        try fields.u32(&maxSeconds)
        try fields.flag(&takesOver)
        try fields.flag(&triesDearKeys)
        try fields.flag(&isMadeHere)
    }
}

/// Prepares a new vault. The secret is its password; the answer is the recovery key, as a secret.
public struct CreateVault: Operation {
    public static let id: UInt8 = 0x03
    public static let traits: OperationTraits = [.secret]
    public var directory: [UInt8] = []
    /// How long one derivation should take, in milliseconds; 0 is the floor of costs.
    public var kdfTargetMilliseconds = PasswordCost.targetMilliseconds
    public var withRecoveryKey = true
    public init() {}

    public init(directory: [UInt8]) { self.directory = directory }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&directory, max: 4096)
        try fields.u32(&kdfTargetMilliseconds)
        try fields.flag(&withRecoveryKey)
    }
}

/// Writes the prepared vault. The secret is the recovery key as typed back, empty without one.
public struct CommitCreation: Operation {
    public static let id: UInt8 = 0x04
    public static let traits: OperationTraits = [.changes, .secret]
    public init() {}
}

/// What this machine would choose as the cost of a password that is set now.
public struct MeasureCost: Operation {
    public static let id: UInt8 = 0x05
    public static let traits: OperationTraits = []
    public typealias Reply = KDFCost
    public var targetMilliseconds = PasswordCost.targetMilliseconds
    public init() {}

    public init(targetMilliseconds: UInt32) {
        self.targetMilliseconds = targetMilliseconds
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&targetMilliseconds)
    }
}

/// Closes the vault: the agent ends.
public struct LockVault: Operation {
    public static let id: UInt8 = 0x07
    public static let traits: OperationTraits = []
    public init() {}
}

/// `CredentialKind` says what opens a vault. Of a password with its key file, a `PasswordPair` of the password and the
/// file's text is the secret.
public typealias CredentialKind = Keyslot.Kind

/// `PasswordCost` says what a password costs by default.
public enum PasswordCost {
    /// How long a try should take on this machine, in milliseconds.
    public static let targetMilliseconds: UInt32 = 1000
}

/// A vault that was looked at: the keyslots that are not tried by default.
public struct ProbedVault: ReplyValue {
    public struct CostlyKey: ReplyValue {
        public enum Obstacle: UInt8, Sendable {
            /// It asks for more than half of this machine's memory, so it is not tried here.
            case memory = 1
            /// It asks for more than eight times the work that is known here: `triesDearKeys`.
            case work
        }

        /// Beginning of its identifier.
        public var shortID = ""
        public var credential = CredentialKind.password
        public var obstacle = Obstacle.memory
        public var memoryMiB = 0
        /// How many times the work that is known.
        public var times = 0
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&shortID)
            try fields.code(&credential)
            try fields.code(&obstacle)
            try fields.count(&memoryMiB)
            try fields.count(&times)
        }
    }

    public var costlyKeys: [CostlyKey] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&costlyKeys) }
}

/// What one try of a password costs: the numbers of Argon2id.
public struct KDFCost: ReplyValue {
    /// Memory that is filled, in KiB.
    public var memoryKiB: UInt32 = 0
    /// Passes over it.
    public var iterations: UInt32 = 0
    /// Lanes.
    public var parallelism: UInt32 = 0
    public init() {}

    public init(memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32) {
        (self.memoryKiB, self.iterations, self.parallelism) = (memoryKiB, iterations, parallelism)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&memoryKiB)
        try fields.u32(&iterations)
        try fields.u32(&parallelism)
    }
}

/// A vault that was opened, with what its owner should know of it.
public struct OpenedVault: ReplyValue {
    /// It was never opened on this account: its identity and generation, in words; empty otherwise.
    public var firstSight = ""
    /// An older copy of the vault would not be noticed: the state directory cannot be written.
    public var isUnpinned = false
    /// Why it is read-only; empty otherwise.
    public var readOnlyReason = ""
    /// What one try of this password takes now, and was meant to take, in milliseconds; 0 where it is as it should be.
    public var attemptMilliseconds = 0
    public var intendedMilliseconds = 0
    /// A rotation is under way and continues now.
    public var isRotating = false
    /// Neither copy of the manifest was whole: whether this is the vault's newest state is not known.
    public var manifestWasMade = false
    /// Changes that had been saved are gone.
    public var hasLostChanges = false
    /// How many of them at least; 0 where that is not known.
    public var lostChanges = 0
    /// Notes that they changed, as far as that is known.
    public var notesWithLostChanges: [String] = []
    /// Name of the damaged log in the vault's folder; empty where none was kept.
    public var keptLog = ""
    /// What its file system does not hold, a sentence; empty for a disk of this machine, and when that was said before.
    public var fileSystem = ""
    /// Names that a sync program gave to what another machine wrote at the same time.
    public var conflictedCopies: [String] = []
    /// Names of what was written out when the index was exchanged or removed while the vault was open.
    public var rescued: [String] = []
    /// The end of the log was not whole; nil for one that was.
    public var tornLog: TornLogEnd?
    /// Pages of the index that were used as they are, although others belong there.
    public var oldPages = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&firstSight)
        try fields.flag(&isUnpinned)
        try fields.text(&readOnlyReason)
        try fields.count(&attemptMilliseconds)
        try fields.count(&intendedMilliseconds)
        try fields.flag(&isRotating)
        try fields.flag(&manifestWasMade)
        try fields.flag(&hasLostChanges)
        try fields.count(&lostChanges)
        try fields.texts(&notesWithLostChanges)
        try fields.text(&keptLog)
        try fields.text(&fileSystem)
        try fields.texts(&conflictedCopies)
        try fields.texts(&rescued)
        try fields.optional(&tornLog, else: TornLogEnd()) { (fields, torn) throws(FormatError) in
            try torn.code(&fields)
        }
        try fields.count(&oldPages)
    }
}
