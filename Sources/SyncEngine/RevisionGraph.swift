// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RevisionGraph` holds the entries of one note as a graph. Which revisions are heads, and in which order, follows
/// from the entries alone: neither the order in which they came nor a clock has a say.
public struct RevisionGraph: Sendable {
    private struct Node: Sendable {
        let parents: [RevisionID]
        var depth: Int
        let arrival: Int
    }

    private var nodes: [RevisionID: Node] = [:]
    private var covered: Set<RevisionID> = []
    private var open: Set<RevisionID> = []
    private var unknown: Set<RevisionID> = []
    private let rules: Rules

    /// Makes a graph without entries.
    public init() { rules = .all }

    @_spi(Simulation) public init(rules: Rules) { self.rules = rules }

    /// Adds an entry. Its parents came before it, which causal order sees to; only where a chain says two things they
    /// may come after it.
    public mutating func insert(_ entry: Entry) {
        guard nodes[entry.id] == nil else { return }
        let depth = 1 + (entry.parents.compactMap { nodes[$0]?.depth }.max() ?? 0)
        nodes[entry.id] = Node(parents: entry.parents, depth: depth, arrival: nodes.count)
        unknown.remove(entry.id)
        for parent in entry.parents {
            covered.insert(parent)
            open.remove(parent)
            if nodes[parent] == nil { unknown.insert(parent) }
        }
        switch entry.kind {
        case .revision: if !covered.contains(entry.id) { open.insert(entry.id) }
        case .purge: if !rules.contains(.purgeByParents) { open.removeAll() }
        }
        if covered.contains(entry.id) { deepen() }
    }

    /// Corrects the depths of all entries: what a forked chain said may come after what was made from it.
    private mutating func deepen() {
        var isDeeper = true
        while isDeeper {
            isDeeper = false
            for (id, node) in nodes {
                let depth = 1 + (node.parents.compactMap { nodes[$0]?.depth }.max() ?? 0)
                guard depth != node.depth else { continue }
                nodes[id]?.depth = depth
                isDeeper = true
            }
        }
    }

    /// The revisions that no entry came after: by depth, then by ID. The last is shown.
    public var heads: [RevisionID] {
        guard rules.contains(.headsByGraph) else {
            return open.sorted { (nodes[$0]?.arrival ?? 0) < (nodes[$1]?.arrival ?? 0) }
        }
        return open.sorted { (depth($0), $0) < (depth($1), $1) }
    }

    /// The entries that no entry came after, purges too: what a device may not have heard of while it still writes.
    public var leaves: [RevisionID] { nodes.keys.filter { !covered.contains($0) }.sorted() }

    /// Returns how many entries are below a revision, on the longest path.
    public func depth(_ revision: RevisionID) -> Int { nodes[revision]?.depth ?? 0 }

    /// Returns a revision and all that it was made from.
    public func ancestors(_ revision: RevisionID) -> Set<RevisionID> {
        var found: Set<RevisionID> = []
        var rest = [revision]
        while let next = rest.popLast() {
            if found.insert(next).inserted { rest += nodes[next]?.parents ?? [] }
        }
        return found
    }

    /// Returns the deepest revision from which both some of these and another were made.
    private func newestCommon(_ ours: [RevisionID], _ theirs: RevisionID) -> RevisionID? {
        // What is looked at next lies above all that is still to come: whatever both reach is met with both marks.
        var marks = Dictionary(uniqueKeysWithValues: ours.map { ($0, 1) })
        marks[theirs, default: 0] |= 2
        while let next = marks.max(by: { (depth($0.key), $0.key) < (depth($1.key), $1.key) }) {
            if next.value == 3 { return next.key }
            marks[next.key] = nil
            for parent in nodes[next.key]?.parents ?? [] where nodes[parent] != nil {
                marks[parent, default: 0] |= next.value
            }
        }
        return nil
    }

    /// Joins the heads that can be joined without a conflict, as every device does that sees the same heads.
    ///
    /// - Parameter record: the record of a revision; nil where it was thinned out, or is locked: it is not joined.
    /// - Parameter merge: base, ours, theirs; nil for a conflict: both heads stay.
    /// - Parameter hash: SHA-256.
    /// - Returns: nil when there is nothing to join, and while a revision is named that has not come.
    public func join(
        note: NoteID, record: (RevisionID) -> [UInt8]?, hash: ([UInt8]) -> Digest,
        merge: ([UInt8], [UInt8], [UInt8]) -> [UInt8]?
    ) -> Entry? {
        guard open.count > 1, unknown.isEmpty else { return nil }
        let heads = heads
        guard let first = heads.first(where: { record($0) != nil }), var joined = record(first) else { return nil }
        var parents = [first]
        for head in heads where head != first {
            guard let theirs = record(head), let common = newestCommon(parents, head), let base = record(common),
                let merged = merge(base, joined, theirs)
            else { continue }
            joined = merged
            parents.append(head)
        }
        guard parents.count > 1 else { return nil }
        let label = Array("vault/v1 join".utf8)
        let id = RevisionID(hash(label + parents.sorted().flatMap(\.bytes) + joined))
        return Entry(id: id, note: note, parents: parents, body: joined)
    }
}
