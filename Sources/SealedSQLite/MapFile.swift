// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// `MapFile` holds the file of a map, and the pages that it is of: it reads, writes, hashes and makes nodes. It proves
/// nothing by itself.
///
/// The root's hash follows from the pages' tags alone, so whatever is lost of a map can be made again from the pages,
/// and is then proven by the hash that is vouched for.
final class MapFile {
    let file: RawFile
    /// The database's own file.
    let pages: RawFile
    private let digest: BlockDigest
    private var head = Array("vault/v1 map".utf8) + [0, 0, 0, 0, 0]
    /// Bytes of nodes that were written.
    private(set) var writtenByteCount = 0
    /// Most combinations of children that are tried for one damaged node.
    private static let combinationCountMax = 1024

    init(_ file: RawFile, pages: RawFile) throws(CryptoError) {
        (self.file, self.pages) = (file, pages)
        digest = try BlockDigest()
    }

    /// Returns the bytes of a node, or nil if they are not there or cannot be read.
    func read(_ node: MapNode, slot: Int) -> [UInt8]? {
        var bytes = ProvenNode.empty
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe file.read(into: $0, at: node.offset(slot: slot)) }
        return got == MapNode.byteCount ? bytes : nil
    }

    func write(_ node: MapNode, slot: Int, _ bytes: [UInt8]) -> Bool {
        guard unsafe bytes.withUnsafeBytes({ unsafe file.write($0, at: node.offset(slot: slot)) }) else { return false }
        writtenByteCount += bytes.count
        return true
    }

    /// Returns what a node hashes to, bound to its place; nil when the library refuses.
    func hash(_ node: MapNode, _ bytes: [UInt8]) -> [UInt8]? {
        let at = head.count - 5
        head[at] = UInt8(node.level)
        for place in 0..<4 {
            head[at + 1 + place] = UInt8(truncatingIfNeeded: node.index >> (24 - 8 * place))
        }
        var hash = [UInt8](repeating: 0, count: MapNode.hashByteCount)
        let isDone = unsafe head.withUnsafeBytes { head in
            unsafe bytes.withUnsafeBytes { bytes in
                let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[0..<node.hashedByteCount])
                return unsafe hash.withUnsafeMutableBytes { unsafe digest.digest(head, body, into: $0) }
            }
        }
        return isDone ? hash : nil
    }

    /// Returns the same, and zeros for a node that holds nothing, as its parent has it.
    func hashForParent(_ node: MapNode, _ bytes: [UInt8]) -> [UInt8]? {
        bytes[0..<node.hashedByteCount].allSatisfy { $0 == 0 }
            ? [UInt8](repeating: 0, count: MapNode.hashByteCount) : hash(node, bytes)
    }

    var pageCount: Int { pages.byteCount / PageFile.pageByteCount }

    // MARK: From the pages

    /// Returns the tag of a page as it lies there now; nil when it cannot be read.
    func tag(ofPage page: UInt32) -> PageTag? {
        unsafe withUnsafeTemporaryAllocation(byteCount: MapNode.tagByteCount, alignment: 8) { raw in
            let begin = Int(page) * PageFile.pageByteCount - MapNode.tagByteCount
            guard unsafe pages.read(into: raw, at: begin) == raw.count else { return nil }
            return unsafe PageTag(in: UnsafeRawBufferPointer(raw), at: 0)
        }
    }

    /// Returns a leaf as the pages give it now; nil when one cannot be read.
    private func madeLeaf(_ leaf: MapNode, pageCount: Int) -> [UInt8]? {
        var bytes = ProvenNode.empty
        let first = leaf.firstPage
        pages.readFailure = 0
        let isRead = unsafe bytes.withUnsafeMutableBytes { raw in
            for number in 0..<min(MapNode.tagCount, max(0, pageCount - first + 1)) {
                let page = first + number
                guard page != Int(PageFile.lockBytePage) else { continue }
                let at = number * MapNode.tagByteCount
                let tag = unsafe UnsafeMutableRawBufferPointer(rebasing: raw[at..<at + MapNode.tagByteCount])
                let got = unsafe pages.read(into: tag, at: page * PageFile.pageByteCount - MapNode.tagByteCount)
                // A bad sector takes one tag, which no page that can be read has.
                if got == nil, pages.readFailure != EIO { return false }
            }
            return true
        }
        return isRead ? bytes : nil
    }

    /// Returns a node as the pages below it give it now.
    func made(_ node: MapNode, pageCount: Int) -> [UInt8]? {
        guard node.level > 0 else { return madeLeaf(node, pageCount: pageCount) }
        var made = ProvenNode(bytes: ProvenNode.empty, slot: 0)
        for number in 0..<MapNode.fanOut {
            let child = node.child(number)
            guard child.firstPage <= pageCount else { break }
            guard let bytes = self.made(child, pageCount: pageCount), let hash = hashForParent(child, bytes) else {
                return nil
            }
            made.set(hash, slot: 0, ofChild: number)
        }
        return made.bytes
    }

    /// Returns a node that is damaged in the file, as its hash says that it must be; nil when nothing that is there has
    /// that hash.
    ///
    /// - Parameter known: hashes of children that are known from elsewhere.
    func mended(_ node: MapNode, hash expected: [UInt8], known: (MapNode) -> [UInt8]?) -> [UInt8]? {
        guard let made = made(node, pageCount: pageCount) else { return nil }
        var mended = ProvenNode(bytes: made, slot: 0)
        if hash(node, made) == expected { return node.level == 0 ? made : withSlots(node, mended) }
        guard node.level > 0 else { return nil }
        // A page below is damaged too, or newer than what is vouched for: then its own node may be whole.
        var choices: [(number: Int, hashes: [[UInt8]])] = []
        var count = 1
        for number in 0..<MapNode.fanOut {
            let child = node.child(number)
            let found =
                known(child).map { [$0] }
                ?? Set([0, 1].compactMap { read(child, slot: $0).flatMap { hashForParent(child, $0) } }).sorted {
                    $0.lexicographicallyPrecedes($1)
                }
            let own = mended.hash(ofChild: number) ?? [UInt8](repeating: 0, count: MapNode.hashByteCount)
            guard !found.isEmpty, !found.contains(own) else { continue }
            choices.append((number, found))
            count *= found.count
            guard count <= Self.combinationCountMax else { return nil }
        }
        for combination in 0..<count {
            var rest = combination
            for (number, hashes) in choices {
                mended.set(hashes[rest % hashes.count], slot: 0, ofChild: number)
                rest /= hashes.count
            }
            if hash(node, mended.bytes) == expected { return withSlots(node, mended) }
        }
        return nil
    }

    /// Adds the places in which the children are found.
    private func withSlots(_ node: MapNode, _ bare: ProvenNode) -> [UInt8] {
        var node = (place: node, content: bare)
        for number in 0..<MapNode.fanOut {
            guard let hash = bare.hash(ofChild: number) else { continue }
            let child = node.place.child(number)
            let isInSecond = read(child, slot: 1).map { self.hash(child, $0) == hash } ?? false
            if isInSecond { node.content.set(hash, slot: 1, ofChild: number) }
        }
        return node.content.bytes
    }

    /// Writes the whole map of the pages as they are now, every node into its first place: in the order of the file,
    /// and with one node of each level in memory.
    ///
    /// - Returns: the root's hash; nil when something could not be read or written.
    func build() -> [UInt8]? {
        let pageCount = pageCount
        let leafCount = (pageCount + MapNode.tagCount - 1) / MapNode.tagCount
        guard leafCount == 0 || MapNode(leafOf: UInt32(clamping: pageCount)) != nil else { return nil }
        var open = [ProvenNode](
            repeating: ProvenNode(bytes: ProvenNode.empty, slot: 0), count: MapNode.rootLevel + 1)
        for index in 0..<leafCount {
            var node = MapNode(level: 0, index: index)
            guard var bytes = madeLeaf(node, pageCount: pageCount) else { return nil }
            while true {
                guard write(node, slot: 0, bytes), let hash = hashForParent(node, bytes) else { return nil }
                if node.level == MapNode.rootLevel { return hash }
                let parent = node.parent
                open[parent.level].set(hash, slot: 0, ofChild: node.childIndex)
                // Its last child, or the last one that there is.
                guard node.childIndex == MapNode.fanOut - 1 || index == leafCount - 1 else { break }
                bytes = open[parent.level].bytes
                open[parent.level].bytes = ProvenNode.empty
                node = parent
            }
        }
        // Without a page: a root that holds nothing.
        return leafCount == 0 && write(.root, slot: 0, ProvenNode.empty)
            ? [UInt8](repeating: 0, count: MapNode.hashByteCount) : nil
    }
}
