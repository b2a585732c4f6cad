// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a client may ask of an agent. An agent performs operations; no request returns a key.
///
/// Spec: docs/agent-protocol.md §3. A text that names a note (`ref`) is an identifier's prefix or a title.
public enum Request: Sendable, Equatable {
    // Before the vault is open, on the connection that the agent was started with.
    /// Look at a vault's directory: its header, its owner, its pin. No secret is asked for before this succeeds.
    case probe(directory: [UInt8], acceptRollback: Bool)
    /// Open the vault; the secret is in the frame that follows.
    case unlock(UnlockOptions)
    /// Prepare a new vault; the password is in the frame that follows. Answers with the recovery key as a secret.
    case create(CreateOptions)
    /// Write the prepared vault; the recovery key as typed back is in the frame that follows (empty without one).
    case commitCreation
    /// What this machine would choose as the cost of a password that is set now. Answers with its three numbers as text.
    case measureCost(targetMilliseconds: UInt32)

    case status
    case lock
    case new(NewNote)
    case append(ref: String, text: String)
    case replace(ref: String, text: String)
    case show(refs: [String], raw: Bool)
    /// Bodies only, byte for byte.
    case cat(refs: [String])
    case list(ListQuery)
    case search(SearchOrder)
    case remove(refs: [String])
    case restore(refs: [String])
    case emptyTrash
    case check(rebuildIndex: Bool)
    case editing(Editing)
    case attaching(Attaching)
    case keying(Keying)
    case exporting(Exporting)
    case archiving(Archiving)
    case importing(Importing)

    /// Whether a secret follows the request.
    public var needsSecret: Bool {
        switch self {
        case .unlock, .create, .commitCreation: true
        case .new(let note): note.isPrivate
        case .editing(.begin(.new(let note), _)): note.isPrivate
        case .keying(let keying): keying.needsSecret
        case .exporting(let exporting): exporting.needsSecret
        case .archiving(let archiving): archiving.needsSecret
        case .importing(let importing): importing.needsSecret
        default: false
        }
    }

    /// Whether a descriptor comes with the request.
    public var needsDescriptor: Bool {
        switch self {
        case .attaching(let attaching): attaching.needsDescriptor
        case .exporting: true
        case .archiving(let archiving): archiving.needsDescriptor
        case .importing(let importing): importing.needsDescriptor
        default: false
        }
    }
}

public struct UnlockOptions: Sendable, Equatable {
    public enum Credential: UInt8, Sendable {
        case password = 1
        case recoveryKey = 2
        /// A `PasswordPair` of the password and the key file's text is the secret.
        case passwordAndKeyFile = 3
    }
    public var credential = Credential.password
    /// True for `vault unlock`: stay and listen; false for one command.
    public var stays = false
    /// Seconds without a request until it locks by itself.
    public var idleSeconds: UInt32 = 15 * 60
    /// Seconds without use until a private note locks by itself.
    public var noteIdleSeconds: UInt32 = 5 * 60
    /// Seconds until it locks whatever happens.
    public var maxSeconds: UInt32 = 8 * 3600
    public init() {}
}

public struct CreateOptions: Sendable, Equatable {
    public var directory: [UInt8]
    /// How long one derivation should take, in milliseconds; 0 is the floor of costs.
    public var kdfTargetMilliseconds: UInt32 = 1000
    public var withRecoveryKey = true
    public init(directory: [UInt8]) { self.directory = directory }
}

public struct NewNote: Sendable, Equatable {
    public var text: String
    public var title: String?
    public var tags: [String] = []
    public var notebook = ""
    /// It gets a password of its own, in the frame that follows.
    public var isPrivate = false
    /// Whether a private note's title is told while it is locked.
    public var showsTitle = false
    /// A template that it begins with.
    public var template: String?
    public init(text: String) { self.text = text }
}

/// Which places a list is about.
public enum ListPlace: UInt8, Sendable, CaseIterable {
    case live = 0
    case trash = 1
    case archive = 2
    case template = 3
}

/// What a list is sorted by.
public enum SortKey: UInt8, Sendable, CaseIterable {
    /// Pinned ones first, then the newest change.
    case modified = 0
    case created = 1
    case title = 2
    case size = 3
}

public struct ListQuery: Sendable, Equatable {
    /// Most rows of one page, unless it is all of them.
    public static let limitMax: UInt32 = 10_000
    public static let pageMax: UInt32 = 100_000
    public var place = ListPlace.live
    public var tag: String?
    public var notebook: String?
    /// Words and filters, as `search` takes them; empty for all.
    public var filter = ""
    public var sort = SortKey.modified
    public var reverse = false
    public var countOnly = false
    public var long = false
    /// Rows per page; 0 for all.
    public var limit: UInt32 = 20
    /// From 1.
    public var page: UInt32 = 1
    public init() {}
}

/// What `search` looks for.
public struct SearchOrder: Sendable, Equatable {
    /// Words and filters.
    public var query: String
    /// A pattern that must match title or text; empty for none.
    public var regex = ""
    /// Nil ranks: the best first.
    public var sort: SortKey?
    public var reverse = false
    public var limit: UInt32 = 20
    public var page: UInt32 = 1
    /// Every note is looked at, however long it takes.
    public var isExhaustive = false

    public init(query: String) { self.query = query }
}
