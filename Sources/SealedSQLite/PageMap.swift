// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import Synchronization

/// `PageMapRoot` is what vouches for the map of a database's pages: the hash of its root, and which of the root's two
/// places to look into first.
public struct PageMapRoot: Sendable, Equatable {
    /// 0 or 1.
    public var slot: Int
    /// 32 bytes.
    public var hash: [UInt8]

    public init(slot: Int, hash: [UInt8]) { (self.slot, self.hash) = (slot, hash) }
}

/// `PageMap` tells a page that was put back from the one that belongs there: a tree of hashes over the tags of all
/// pages of a database file, whose root is vouched for elsewhere. Used by any thread.
///
/// A tag says that a page was written here, not when. The map has the tag of each page as it was written last. It is
/// read lazily, node by node, and nothing of it is changed in place: `flush` writes the nodes that changed beside those
/// that count, and only `adopt`, when their root is vouched for, makes them count. Spec: docs/format.md §11.1.
public final class PageMap: Sendable {
    /// `Verdict` is what the map says of a page.
    enum Verdict {
        case fits
        /// Another tag belongs there.
        case differs
        /// A part of the map is damaged, and the pages that it is of are not all as they were.
        case unproven
        /// Something could not be read just now.
        case failed
    }

    /// `ChangedLeaf` is a leaf of which pages have been written since the map was vouched for.
    struct ChangedLeaf {
        var bytes: [UInt8]
        /// Where the version lies that counts; 1 where there is none.
        let slot: Int
        /// As its parent has it.
        let oldHash: [UInt8]
    }

    struct State {
        let file: MapFile
        var root: PageMapRoot
        var cache = NodeCache()
        var changed: [MapNode: ChangedLeaf] = [:]
        /// Nodes that nothing proves: to look for each again would read all that is below it each time.
        var unproven: Set<MapNode> = []
        /// Written and not yet vouched for.
        var flushed: (root: PageMapRoot, nodes: [(MapNode, ProvenNode)])?
        /// Whether what is damaged may be written anew in its place.
        let mends: Bool
        /// Nodes were written anew, and are not on disk yet.
        var isMended = false
        /// On the owner's word every page is taken as it is.
        var accepts = false
    }

    let state: Mutex<State>

    /// Opens the map of a database.
    ///
    /// - Parameters:
    ///   - directory: an open directory.
    ///   - name: of the map's file. A missing one is made again from the pages, and counts if that gives the root.
    ///   - pages: a descriptor of the database's file; it is taken over.
    ///   - mends: whether the file may be written.
    ///   - accepts: the owner's word that pages count as they are.
    /// - Throws: `SealedSQLiteError`, `CryptoError`.
    init(directory: Int32, name: String, pages: Int32, root: PageMapRoot, mends: Bool, accepts: Bool = false) throws {
        let database = try RawFile(reading: pages)
        var (file, canWrite) = try Self.open(directory, name, mends: mends)
        var map = try MapFile(file, pages: database)
        // Without a root there is nothing below it either.
        let isMissing = map.file.byteCount < MapNode.byteCount && map.pageCount > 0
        var made: [UInt8]?
        if isMissing {
            // On disk before a page of it is overwritten: afterwards it could not be made again.
            if canWrite, let hash = map.build(), file.sync() { made = hash }
            if made == nil {
                // Without room, or where nothing may be written, it does for reading.
                (file, canWrite) = (try RawFile(reading: vs_memory_file()), false)
                map = try MapFile(file, pages: database)
                made = map.build()
            }
        }
        var state = State(file: map, root: root, mends: canWrite)
        state.accepts = accepts
        if let made {
            if made == root.hash { state.root.slot = 0 } else { state.unproven.insert(.root) }
        }
        self.state = Mutex(state)
    }

    /// Makes the map of a database that is complete: every page counts as it is.
    init(building name: String, in directory: Int32, pages: Int32) throws {
        let database = try RawFile(reading: pages)
        let file = try RawFile(directory: directory, name: name, creating: true)
        let map = try MapFile(file, pages: database)
        guard let hash = map.build(), file.sync(), fsync(directory) == 0 else {
            throw SealedSQLiteError(.inputOutput, systemError: SystemReason.take())
        }
        state = Mutex(State(file: map, root: PageMapRoot(slot: 0, hash: hash), mends: true))
    }

    /// Opens the map's file. One that is not there is made, or replaced by an empty one in memory where it cannot be.
    ///
    /// - Returns: the file, and whether it can be written.
    private static func open(_ directory: Int32, _ name: String, mends: Bool) throws(SealedSQLiteError) -> (
        RawFile, Bool
    ) {
        var status = stat()
        let isMissing = unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
        if isMissing {
            guard mends else { return (try RawFile(reading: vs_memory_file()), false) }
            do throws(SealedSQLiteError) {
                let made = try RawFile(directory: directory, name: name, creating: true)
                guard fsync(directory) == 0 else { throw SealedSQLiteError(.inputOutput, systemError: errno) }
                return (made, true)
            } catch { return (try RawFile(reading: vs_memory_file()), false) }
        }
        let file = try RawFile(directory: directory, name: name, creating: false)
        return (file, mends && file.isWritable)
    }

    /// The root that must be vouched for elsewhere.
    public var root: PageMapRoot { state.withLock { $0.root } }

    /// Whether pages have been written that what is vouched for does not know.
    var hasChanges: Bool { state.withLock { !$0.changed.isEmpty } }

    /// Nodes in memory, for tests.
    var cachedCount: Int { state.withLock { $0.cache.count } }

    /// Bytes of nodes that were written, for tests.
    package var writtenByteCount: Int { state.withLock { $0.file.writtenByteCount } }

    func leaveAlone(_ isLeft: Bool = true) {
        state.withLock { state in
            state.file.file.isLeftAlone = isLeft
            // A node that was made again meanwhile is in memory alone: it is made once more, and written, before a page
            // below it changes.
            if !isLeft, state.isMended {
                state.cache.removeAll()
                state.isMended = false
            }
        }
    }

    // MARK: Reading

    /// Compares a page's tag with the map.
    func verdict(_ page: UInt32, tag: PageTag) -> Verdict {
        state.withLock { state in
            let verdict = state.verdict(page, tag: tag)
            return state.accepts && verdict != .failed ? .fits : verdict
        }
    }

    /// Compares all pages as they lie in the file; those that cannot be read fit nothing. From then on every page has
    /// to fit.
    ///
    /// - Returns: how many do not.
    func settle() -> Int {
        state.withLock { state in
            state.accepts = false
            var count = 0
            for page in 0..<state.file.pageCount where page + 1 != Int(PageFile.lockBytePage) {
                let number = UInt32(clamping: page + 1)
                guard let tag = state.file.tag(ofPage: number), state.verdict(number, tag: tag) == .fits else {
                    count += 1
                    continue
                }
            }
            return count
        }
    }

    /// Returns whether the map has a page that the file may lack.
    func has(_ page: UInt32) -> Bool { verdict(page, tag: .none) == .differs }

    /// Returns whether the page that lies in the file is another one than belongs there, or nothing says that it is
    /// not.
    func hasAnother(_ page: UInt32) -> Bool {
        state.withLock { $0.file.tag(ofPage: page) }.map { [.differs, .unproven].contains(verdict(page, tag: $0)) }
            ?? false
    }

    // MARK: Writing

    /// Reads what is known of a page's neighbours, before it is overwritten: afterwards a damaged leaf could not be
    /// made again.
    func beginChange(of page: UInt32) -> Verdict {
        state.withLock { $0.beginChange(of: page) }
    }

    /// Records the tag with which a page has been written; zeros for one that was cut off.
    func change(_ page: UInt32, to tag: PageTag) {
        state.withLock { state in
            guard let leaf = MapNode(leafOf: page) else { return }
            state.changed[leaf]?.bytes.setTag(tag, at: Int(page - 1) % MapNode.tagCount)
        }
    }

    /// Writes the nodes that changed beside those that count, durably.
    ///
    /// - Returns: the root that is to be vouched for; nil when nothing has changed.
    /// - Throws: `SealedSQLiteError`; then the map is as it was.
    func flush() throws(SealedSQLiteError) -> PageMapRoot? {
        try state.withLock { (state) throws(SealedSQLiteError) in try state.flush() }
    }

    /// Takes the root that `flush` gave as the one to read from: it is vouched for.
    func adopt() { state.withLock { $0.adopt() } }
}
