// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

extension SealedStorage {
    /// From now on, refuses each page that is read without the tag that the map has for it.
    ///
    /// - Parameters:
    ///   - name: of the map's file.
    ///   - root: what the manifest vouches for.
    ///   - accepting: whether the owner accepts pages as they are, until `settleMap`.
    /// - Throws: `SealedSQLiteError`, `CryptoError`.
    public func openMap(_ name: String, root: PageMapRoot, accepting: Bool = false) throws {
        pages.map = try PageMap(
            directory: directory, name: name, pages: duplicateDescriptor(), root: root, mends: isWritable,
            accepts: accepting)
    }

    /// Makes the map of the pages in the file. Call it only while the log is empty and all pages are on disk.
    ///
    /// - Returns: the root to vouch for. The map is durable.
    /// - Throws: `SealedSQLiteError`, `CryptoError`.
    public func buildMap(_ name: String) throws -> PageMapRoot {
        guard log.file.byteCount == 0 else { throw SealedSQLiteError(.damaged) }
        let map = try PageMap(building: name, in: directory, pages: duplicateDescriptor())
        pages.map = map
        return map.root
    }

    /// Writes what has changed of the map beside what counts, durably.
    ///
    /// - Returns: what is to be vouched for before the log may be cut; nil when nothing has changed.
    /// - Throws: `SealedSQLiteError`.
    public func flushMap() throws(SealedSQLiteError) -> PageMapRoot? { try pages.map?.flush() }

    /// Whether pages were written that nobody vouches for yet.
    public var mapHasChanges: Bool { pages.map?.hasChanges ?? false }

    /// Adopts the root that `flushMap` gave: it is vouched for, durably, in every place that may be read.
    public func adoptMap() { pages.map?.adopt() }

    /// Stops accepting pages as they are if all of them fit the map; otherwise the map is dropped, until
    /// another one is made. With a log that cannot be emptied it stays as it is.
    ///
    /// - Returns: how many do not fit.
    public func settleMap() -> Int {
        guard let map = pages.map, isWritable || log.file.byteCount == 0 else { return 0 }
        let count = map.settle()
        if count > 0 { pages.map = nil }
        return count
    }

    /// The map, for readers of the same file on other threads.
    public var map: PageMap? { pages.map }

    /// `PageState` says what is in the place of a page.
    public enum PageState: Sendable {
        case whole
        /// It opens, but is not the version that belongs there.
        case old
        case damaged
    }

    /// Looks at page `number` (from 1). The one that SQLite never uses must be empty.
    public func state(ofPage number: UInt32) -> PageState {
        if number == PageFile.lockBytePage { return pages.isHole(number) ? .whole : .damaged }
        return unsafe withUnsafeTemporaryAllocation(byteCount: PageFile.pageByteCount, alignment: 16) { page in
            defer { unsafe explicit_bzero(page.baseAddress!, page.count) }
            switch unsafe pages.readPage(number, into: page) {
            case .whole: return .whole
            case .old: return .old
            case .short, .notAuthentic, .failed: return .damaged
            }
        }
    }
}
