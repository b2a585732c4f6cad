// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// A map does this under its lock.
extension PageMap.State {
    /// An `Unproven` says that nothing has the hash that is vouched for; or that something could not be read just now.
    private struct Unproven: Error { let isOfReading: Bool }

    mutating func verdict(_ page: UInt32, tag: PageTag) -> PageMap.Verdict {
        guard let leaf = MapNode(leafOf: page) else { return .unproven }
        let number = Int(page - 1) % MapNode.tagCount
        if !changed.isEmpty, let known = changed[leaf] {
            return known.bytes.hasTag(tag, at: number) ? .fits : .differs
        }
        if let known = cache.leaf(leaf, has: tag, at: number) { return known ? .fits : .differs }
        do throws(Unproven) {
            let known = try proven(leaf)?.bytes ?? ProvenNode.empty
            return known.hasTag(tag, at: number) ? .fits : .differs
        } catch { return error.isOfReading ? .failed : .unproven }
    }

    /// Returns a node with the hash that is vouched for; nil where there is none.
    private mutating func proven(_ node: MapNode) throws(Unproven) -> ProvenNode? {
        if let known = cache.content(of: node) { return known }
        guard !unproven.contains(node) else { throw Unproven(isOfReading: false) }
        guard let (expected, hint) = try vouched(node) else { return nil }
        for slot in [hint, 1 - hint] {
            guard let bytes = file.read(node, slot: slot), file.hash(node, bytes) == expected else { continue }
            let found = ProvenNode(bytes: bytes, slot: slot)
            cache.insert(node, found)
            return found
        }
        return try mended(node, expected, hint)
    }

    /// Returns the hash that a node must have, and where it should lie.
    private mutating func vouched(_ node: MapNode) throws(Unproven) -> (hash: [UInt8], slot: Int)? {
        guard node != .root else {
            return root.hash.allSatisfy { $0 == 0 } ? nil : (root.hash, root.slot)
        }
        guard let parent = try proven(node.parent), let hash = parent.hash(ofChild: node.childIndex) else { return nil }
        return (hash, parent.slot(ofChild: node.childIndex))
    }

    private mutating func mended(_ node: MapNode, _ expected: [UInt8], _ hint: Int) throws(Unproven) -> ProvenNode {
        file.pages.readFailure = 0
        let changed = changed
        guard let bytes = file.mended(node, hash: expected, known: { changed[$0]?.oldHash }) else {
            // What the system would not read for a moment is asked for again.
            guard file.pages.readFailure == 0 || file.pages.readFailure == EIO else {
                throw Unproven(isOfReading: true)
            }
            unproven.insert(node)
            throw Unproven(isOfReading: false)
        }
        let made = ProvenNode(bytes: bytes, slot: hint)
        if mends {
            _ = file.write(node, slot: hint, bytes)
            isMended = true
        }
        cache.insert(node, made)
        return made
    }

    mutating func beginChange(of page: UInt32) -> PageMap.Verdict {
        guard let leaf = MapNode(leafOf: page) else { return .unproven }
        guard changed[leaf] == nil else { return .fits }
        do throws(Unproven) {
            let vouched = try vouched(leaf)
            let known = try proven(leaf)
            // Once a page is overwritten, a node that was made of it cannot be made again.
            if isMended {
                guard file.file.sync() else { return .failed }
                isMended = false
            }
            changed[leaf] = PageMap.ChangedLeaf(
                bytes: known?.bytes ?? ProvenNode.empty, slot: known?.slot ?? 1,
                oldHash: vouched?.hash ?? [UInt8](repeating: 0, count: MapNode.hashByteCount))
            return .fits
        } catch {
            // On the owner's word all of it is made anew afterwards.
            return accepts ? .fits : error.isOfReading ? .failed : .unproven
        }
    }

    mutating func flush() throws(SealedSQLiteError) -> PageMapRoot? {
        flushed = nil
        guard !changed.isEmpty else { return nil }
        guard mends else { throw SealedSQLiteError(.inputOutput, systemError: SystemReason.take()) }
        var level: [MapNode: ProvenNode] = changed.mapValues { ProvenNode(bytes: $0.bytes, slot: $0.slot) }
        var written: [(MapNode, ProvenNode)] = []
        while true {
            var parents: [MapNode: ProvenNode] = [:]
            for node in level.keys.sorted(by: { $0.index < $1.index }) {
                guard var content = level[node] else { continue }
                content.slot = 1 - content.slot
                guard let hash = file.hashForParent(node, content.bytes),
                    file.write(node, slot: content.slot, content.bytes)
                else { throw SealedSQLiteError(.inputOutput, systemError: SystemReason.take()) }
                written.append((node, content))
                guard node != .root else {
                    guard file.file.sync() else {
                        throw SealedSQLiteError(.inputOutput, systemError: SystemReason.take())
                    }
                    let root = PageMapRoot(slot: content.slot, hash: hash)
                    flushed = (root, written)
                    return root
                }
                var parent: ProvenNode
                if let begun = parents[node.parent] { parent = begun } else { parent = try known(node.parent) }
                parent.set(hash, slot: content.slot, ofChild: node.childIndex)
                parents[node.parent] = parent
            }
            level = parents
        }
    }

    private mutating func known(_ node: MapNode) throws(SealedSQLiteError) -> ProvenNode {
        do throws(Unproven) {
            return try proven(node) ?? ProvenNode(bytes: ProvenNode.empty, slot: 1)
        } catch { throw SealedSQLiteError(error.isOfReading ? .inputOutput : .damaged, isOfReading: error.isOfReading) }
    }

    mutating func adopt() {
        guard let (root, nodes) = flushed else { return }
        self.root = root
        for (node, content) in nodes { cache.insert(node, content) }
        changed.removeAll()
        unproven.removeAll()
        flushed = nil
    }
}
