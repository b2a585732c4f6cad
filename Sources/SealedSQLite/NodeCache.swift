// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NodeCache` keeps nodes of a map that were proven, as many as fit into two MiB: of two that may go, the one that was
/// not used lately.
struct NodeCache {
    static let countMax = 2048

    private struct Entry {
        var node: MapNode
        var content: ProvenNode
        var isUsed: Bool
    }

    private var places: [MapNode: Int] = [:]
    private var entries: [Entry] = []
    private var hand = 0
    /// Pages that are read one after the other are mostly of one leaf.
    private var last = 0

    var count: Int { entries.count }

    /// Returns which entry has a node; nil when it has to be read.
    private mutating func place(of node: MapNode) -> Int? {
        if last < entries.count, entries[last].node == node { return last }
        guard let place = places[node] else { return nil }
        entries[place].isUsed = true
        last = place
        return place
    }

    mutating func content(of node: MapNode) -> ProvenNode? { place(of: node).map { entries[$0].content } }

    /// Returns whether a leaf has this tag at this place; nil when the leaf has to be read.
    mutating func leaf(_ node: MapNode, has tag: PageTag, at number: Int) -> Bool? {
        guard let place = place(of: node) else { return nil }
        return entries[place].content.bytes.hasTag(tag, at: number)
    }

    mutating func insert(_ node: MapNode, _ content: ProvenNode) {
        if let place = places[node] {
            entries[place].content = content
            return
        }
        guard entries.count == Self.countMax else {
            places[node] = entries.count
            entries.append(Entry(node: node, content: content, isUsed: true))
            return
        }
        while entries[hand].isUsed {
            entries[hand].isUsed = false
            hand = (hand + 1) % entries.count
        }
        places[entries[hand].node] = nil
        places[node] = hand
        entries[hand] = Entry(node: node, content: content, isUsed: true)
        hand = (hand + 1) % entries.count
    }

    mutating func removeAll() {
        places.removeAll()
        entries.removeAll()
        (hand, last) = (0, 0)
    }
}

/// `PageTag` is the tag of a page: the last 16 bytes of it as it lies in the file.
struct PageTag: Equatable, Sendable {
    /// Of a page that is not there.
    static let none = PageTag()
    private var halves: (UInt64, UInt64) = (0, 0)

    private init() {}

    /// Copies the tag out of a sealed page.
    ///
    /// - Parameter sealed: a page as it lies in the file, 4,096 bytes.
    init(ofSealed sealed: UnsafeMutableRawBufferPointer) {
        unsafe self.init(in: UnsafeRawBufferPointer(sealed), at: PageFile.pageByteCount - MapNode.tagByteCount)
    }

    init(in bytes: UnsafeRawBufferPointer, at begin: Int) {
        halves.0 = unsafe bytes.loadUnaligned(fromByteOffset: begin, as: UInt64.self)
        halves.1 = unsafe bytes.loadUnaligned(fromByteOffset: begin + 8, as: UInt64.self)
    }

    static func == (one: PageTag, other: PageTag) -> Bool { one.halves == other.halves }
}

extension [UInt8] {
    /// Returns whether a leaf of these bytes has a tag at a place.
    func hasTag(_ tag: PageTag, at number: Int) -> Bool {
        unsafe withUnsafeBytes { unsafe PageTag(in: $0, at: number * MapNode.tagByteCount) == tag }
    }

    mutating func setTag(_ tag: PageTag, at number: Int) {
        unsafe withUnsafeMutableBytes { unsafe tag.write(to: $0, at: number * MapNode.tagByteCount) }
    }
}

extension PageTag {
    fileprivate func write(to bytes: UnsafeMutableRawBufferPointer, at begin: Int) {
        unsafe bytes.storeBytes(of: halves.0, toByteOffset: begin, as: UInt64.self)
        unsafe bytes.storeBytes(of: halves.1, toByteOffset: begin + 8, as: UInt64.self)
    }
}
