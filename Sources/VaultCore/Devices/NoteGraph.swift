// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `NoteGraph` holds the entries of one note, of all devices, as a graph. Which revisions are heads, and in which
/// order, follows from the entries alone: neither the order in which they came nor a clock has a say.
///
/// An entry's depth is one more than the greatest depth of its parents and, unless it is a join, of the entry that its
/// device made of the note before it. A revision's depth is the least of the entries that made it.
/// Spec: docs/format.md §10.
struct NoteGraph {
    private struct Link {
        let device: Int
        let sequence: UInt64
        let operation: Entry.Operation
        let revision: RevisionID
        let parents: [RevisionID]
        var depth = 0
    }

    private var links: [Link] = []
    /// While no link came out of its order: the heads as they are.
    private var knownHeads: [RevisionID] = []
    private var isOrdered = true
    private var hasPurge = false
    private var hasDevices = false
    /// Their revisions, once several devices have made some.
    private var named: Set<RevisionID> = []

    /// Adds an entry of the note; drops and statements are not part of the graph.
    ///
    /// - Parameter device: a number that its device has here and no other.
    mutating func add(_ entry: Entry, device: Int) {
        guard entry.operation.makesRevision || entry.operation == .purge else { return }
        var link = Link(
            device: device, sequence: entry.sequence, operation: entry.operation, revision: entry.revisionID,
            parents: entry.parents)
        if isOrdered, follows(&link) {
            knownHeads.removeAll { link.parents.contains($0) }
            let place = knownHeads.firstIndex { isBehind(depth(of: $0), $0, link) } ?? knownHeads.endIndex
            knownHeads.insert(link.revision, at: place)
        } else {
            (isOrdered, knownHeads) = (false, [])
        }
        if entry.operation == .purge { hasPurge = true }
        links.append(link)
        if hasDevices { named.insert(link.revision) }
    }

    /// Returns whether all that a link stands on is there, and nothing that stands on it. It gets its depth then.
    private mutating func follows(_ link: inout Link) -> Bool {
        guard link.operation != .purge, !hasPurge else { return false }
        var deepest = 0
        for parent in link.parents {
            guard let under = links.last(where: { $0.revision == parent }) else { return false }
            deepest = max(deepest, under.depth)
        }
        if let before = links.last(where: { $0.device == link.device }) {
            guard before.sequence < link.sequence else { return false }
            if link.operation != .join { deepest = max(deepest, before.depth) }
        }
        // Another device may have made it before.
        if hasDevices || links.first.map({ $0.device != link.device }) ?? false {
            if !hasDevices { named = Set(links.map(\.revision)) }
            hasDevices = true
            guard !named.contains(link.revision) else { return false }
        }
        link.depth = deepest + 1
        return true
    }

    private func depth(of revision: RevisionID) -> Int { links.last { $0.revision == revision }?.depth ?? 0 }

    private func isBehind(_ depth: Int, _ revision: RevisionID, _ link: Link) -> Bool {
        (link.depth, link.revision) < (depth, revision)
    }

    /// The heads, the one that is shown last: revisions that no entry names as a parent and no purge reaches.
    var heads: [RevisionID] { isOrdered ? knownHeads : Survey(self).heads(missing: []) }

    /// Returns the heads where some revisions have no record: those are passed over, and what they came after counts
    /// again.
    func heads(missing: Set<RevisionID>) -> [RevisionID] {
        guard !missing.isEmpty else { return heads }
        return Survey(self).heads(missing: missing)
    }

    /// What purges have reached: nothing of it is there.
    var gone: Set<RevisionID> { hasPurge ? Survey(self).gone : [] }

    /// Whether a device made a revision of the note behind its own purge from nothing that the purge had left.
    var revivesPurged: Bool {
        guard hasPurge else { return false }
        let survey = Survey(self)
        return Set(links.map(\.device)).contains { device in
            var reached: Set<RevisionID> = []
            var hasPurged = false
            for link in links.filter({ $0.device == device }).sorted(by: { $0.sequence < $1.sequence }) {
                if link.operation == .purge {
                    hasPurged = true
                    reached.formUnion(survey.ancestors(of: link.parents))
                } else if hasPurged, link.parents.allSatisfy({ reached.contains($0) }) {
                    return true
                }
            }
            return false
        }
    }

    /// Every revision that no purge reaches, ascending by depth and identifier.
    var revisions: [RevisionID] {
        let gone = gone
        return order.filter { !gone.contains($0) }
    }

    /// Every revision, ascending by depth and identifier: so each comes behind those that it was made from.
    var order: [RevisionID] {
        let survey = Survey(self)
        return survey.depths.keys.sorted { survey.isBefore($0, $1) }
    }

    /// Returns what a revision was made from, and itself.
    func ancestors(of revision: RevisionID) -> Set<RevisionID> { Survey(self).ancestors(of: [revision]) }

    /// Returns the deepest revision that both came from, of two with one depth the greater identifier; nil when there
    /// is none.
    func commonAncestor(_ first: RevisionID, _ second: RevisionID) -> RevisionID? {
        let survey = Survey(self)
        return survey.ancestors(of: [first]).intersection(survey.ancestors(of: [second]))
            .max { survey.isBefore($0, $1) }
    }

    /// Returns the deepest of some revisions, of two with one depth the greater identifier.
    func deepest(_ revisions: Set<RevisionID>) -> RevisionID? {
        let survey = Survey(self)
        return revisions.max { survey.isBefore($0, $1) }
    }

    /// Returns whether no device made a revision of the note twice.
    func isMadeOnceByEach(_ revision: RevisionID) -> Bool {
        let makers = links.filter { $0.revision == revision && $0.operation != .purge }.map(\.device)
        return !makers.isEmpty && Set(makers).count == makers.count
    }
}

extension NoteGraph {
    /// `Survey` is the whole graph, looked at once.
    private struct Survey {
        /// Of each revision the depth that counts.
        private(set) var depths: [RevisionID: Int] = [:]
        private(set) var gone: Set<RevisionID> = []
        private var parents: [RevisionID: [RevisionID]] = [:]
        private let links: [Link]

        init(_ graph: NoteGraph) {
            links = graph.links.sorted { ($0.device, $0.sequence) < ($1.device, $1.sequence) }
            var makers: [RevisionID: [Int]] = [:]
            for (place, link) in links.enumerated() where link.operation != .purge {
                makers[link.revision, default: []].append(place)
                parents[link.revision, default: []] += link.parents
            }
            let found = Self.depths(links, makers)
            for (revision, places) in makers { depths[revision] = places.map { found[$0] }.min() ?? 0 }
            if graph.hasPurge {
                gone = ancestors(of: links.lazy.filter { $0.operation == .purge }.flatMap(\.parents))
            }
        }

        /// Returns the depth of each link, found after those of what it stands on. What stands on itself, as only a
        /// made-up chain can, has depth 0.
        private static func depths(_ links: [Link], _ makers: [RevisionID: [Int]]) -> [Int] {
            var depths = [Int](repeating: 0, count: links.count)
            var left = depths
            var above: [[Int]] = Array(repeating: [], count: links.count)
            func before(_ place: Int) -> Int? {
                guard place > 0, links[place - 1].device == links[place].device, links[place].operation != .join
                else { return nil }
                return place - 1
            }
            for place in links.indices {
                var under = Set(links[place].parents.flatMap { makers[$0] ?? [] })
                if let one = before(place) { under.insert(one) }
                left[place] = under.count
                for one in under { above[one].append(place) }
            }
            var ready = links.indices.filter { left[$0] == 0 }
            while let place = ready.popLast() {
                var deepest = before(place).map { depths[$0] } ?? 0
                for parent in links[place].parents {
                    deepest = max(deepest, (makers[parent] ?? []).map { depths[$0] }.min() ?? 0)
                }
                depths[place] = deepest + 1
                for one in above[place] {
                    left[one] -= 1
                    if left[one] == 0 { ready.append(one) }
                }
            }
            return depths
        }

        func isBefore(_ one: RevisionID, _ other: RevisionID) -> Bool {
            (depths[one] ?? 0, one) < (depths[other] ?? 0, other)
        }

        func ancestors(of revisions: some Sequence<RevisionID>) -> Set<RevisionID> {
            var found: Set<RevisionID> = []
            var next = Array(revisions)
            while let current = next.popLast() {
                if found.insert(current).inserted { next += parents[current] ?? [] }
            }
            return found
        }

        func heads(missing: Set<RevisionID>) -> [RevisionID] {
            var passed: Set<RevisionID> = []
            while true {
                let covered = Set(
                    links.lazy.filter { !passed.contains($0.revision) || $0.operation == .purge }.flatMap(\.parents))
                let heads = depths.keys.filter { !covered.contains($0) && !passed.contains($0) && !gone.contains($0) }
                let lost = missing.intersection(heads)
                guard !lost.isEmpty else { return heads.sorted { isBefore($0, $1) } }
                passed.formUnion(lost)
            }
        }
    }
}
