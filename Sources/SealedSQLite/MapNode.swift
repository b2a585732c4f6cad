// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MapNode` holds one node of the map of a database's pages, and where it lies in the map's file.
///
/// ```
/// leaf, level 0           64 tags of pages, 16 bytes each; zeros where there is no page
/// inner node, level 1..5  31 hashes of children, 32 bytes each, zeros where there is no child
///                         4 bytes, bit i: which of its two places child i lies in
///                         28 zeros
/// ```
/// The height is fixed, so a node never moves: it has two places side by side, and a new version goes into the one that
/// does not count. Every inner node stands right before its first leaf. Spec: docs/format.md §11.1.
struct MapNode: Hashable {
    static let byteCount = 1024
    static let tagByteCount = 16
    static let hashByteCount = 32
    /// Tags of a leaf.
    static let tagCount = 64
    /// Children of an inner node.
    static let fanOut = 31
    static let rootLevel = 5
    /// What an inner node's hash covers. Where a child lies is only a hint: its hash says whether it was followed
    /// rightly.
    static let hashedByteCount = fanOut * hashByteCount
    /// Leaves below a node of each level.
    private static let spans = [1, 31, 961, 29_791, 923_521, 28_629_151]

    static let root = MapNode(level: rootLevel, index: 0)

    /// 0 for leaves.
    let level: Int
    /// From 0, within its level.
    let index: Int

    init(level: Int, index: Int) { (self.level, self.index) = (level, index) }

    /// Finds the leaf that has the tag of a page; nil for one that no map reaches.
    ///
    /// - Parameter page: from 1.
    init?(leafOf page: UInt32) {
        guard page > 0 else { return nil }
        (level, index) = (0, Int(page - 1) / Self.tagCount)
        guard index < Self.spans[Self.rootLevel] else { return nil }
    }

    var parent: MapNode { MapNode(level: level + 1, index: index / Self.fanOut) }

    /// Which child of its parent it is.
    var childIndex: Int { index % Self.fanOut }

    func child(_ number: Int) -> MapNode { MapNode(level: level - 1, index: index * Self.fanOut + number) }

    /// The first page below it, from 1.
    var firstPage: Int { firstLeaf * Self.tagCount + 1 }

    private var firstLeaf: Int { index * Self.spans[level] }

    /// Its number among all nodes, in the order in which they lie.
    var position: Int {
        let leaf = firstLeaf
        var position = leaf
        for other in 1...Self.rootLevel {
            // Of the inner nodes those that begin before it; of those above it the one that it hangs in too.
            position += leaf / Self.spans[other] + (other > level ? 1 : 0)
        }
        return position
    }

    /// Finds where its version in one of the two places begins, in bytes.
    func offset(slot: Int) -> Int { (2 * position + slot) * Self.byteCount }

    /// How many bytes of it its hash covers.
    var hashedByteCount: Int { level == 0 ? Self.byteCount : Self.hashedByteCount }
}

/// `ProvenNode` holds a node's bytes that have the hash which is vouched for, and the place where they lie.
struct ProvenNode {
    var bytes: [UInt8]
    var slot: Int

    static let empty = [UInt8](repeating: 0, count: MapNode.byteCount)

    /// Returns the hash of a child; nil where there is none.
    func hash(ofChild number: Int) -> [UInt8]? {
        let begin = number * MapNode.hashByteCount
        let hash = bytes[begin..<begin + MapNode.hashByteCount]
        return hash.allSatisfy { $0 == 0 } ? nil : Array(hash)
    }

    /// Tells where a child should lie.
    func slot(ofChild number: Int) -> Int { Int(bits >> UInt32(number) & 1) }

    mutating func set(_ hash: [UInt8], slot: Int, ofChild number: Int) {
        let begin = number * MapNode.hashByteCount
        bytes.replaceSubrange(begin..<begin + MapNode.hashByteCount, with: hash)
        let bit: UInt32 = 1 << UInt32(number)
        let changed = slot == 1 ? bits | bit : bits & ~bit
        for at in 0..<4 {
            bytes[MapNode.hashedByteCount + at] = UInt8(truncatingIfNeeded: changed >> UInt32(24 - 8 * at))
        }
    }

    private var bits: UInt32 {
        bytes[MapNode.hashedByteCount..<MapNode.hashedByteCount + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
