// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText

/// What of a query the index's tables can say by themselves: one expression for each alternative, true for every note that may fit.
struct QuerySQL {
    private(set) var expressions: [String] = []
    private(set) var arguments = StatementArguments()
    /// For each alternative, whether it says by itself which places it is about.
    private(set) var namesPlace: [Bool] = []
    private let notebooks: [String]

    /// - Parameter notebooks: all that there are: their names are compared without regard to case.
    init(_ query: NoteQuery, notebooks: [String], places: [NotePlace]) {
        self.notebooks = notebooks
        for terms in query.alternatives {
            let names = terms.contains { !$0.isNegated && $0.conditions.contains { Self.isPlace($0) } }
            namesPlace.append(names)
            var parts = names ? [] : ["place IN (\(places.map { String($0.rawValue) }.joined(separator: ", ")))"]
            for term in terms { if let part = expression(term) { parts.append(part) } }
            expressions.append(parts.isEmpty ? "1" : parts.joined(separator: " AND "))
        }
    }

    static func isPlace(_ condition: NoteQuery.Condition) -> Bool {
        guard case .state(let state) = condition else { return false }
        return [.live, .archived, .trashed, .template].contains(state)
    }

    /// Nil when only the text can tell.
    private mutating func expression(_ term: NoteQuery.Term) -> String? {
        let before = arguments
        var parts: [String] = []
        for condition in term.conditions {
            guard let part = expression(condition, isNegated: term.isNegated) else {
                // One that the tables cannot tell makes the whole term open.
                arguments = before
                return nil
            }
            parts.append(part)
        }
        let any = "(" + parts.joined(separator: " OR ") + ")"
        return term.isNegated ? "NOT " + any : any
    }

    private mutating func expression(_ condition: NoteQuery.Condition, isNegated: Bool) -> String? {
        switch condition {
        // A text without the grams cannot hold the words; one with them may not hold them either, so their absence says nothing.
        case .text(let needle), .title(let needle): return isNegated ? nil : words(needle)
        case .tag(let tag):
            arguments += [tag.blob, (tag + [0x2F]).blob, (tag + [0x30]).blob]
            return "id IN (SELECT note FROM noteTag WHERE tag = ? OR (tag > ? AND tag < ?))"
        case .notebook(let path): return notebook(path)
        case .created(let range): return between("created", range)
        case .modified(let range): return between("modified", range)
        case .has(let feature): return has(feature)
        case .state(let state): return place(state)
        }
    }

    /// Notes in the trash and templates have no words in the index: they are looked at.
    private mutating func words(_ needle: [UInt8]) -> String? {
        let grams = Grams.needed(for: needle).map { "\"" + String(decoding: $0, as: UTF8.self).replacing("\"", with: "\"\"") + "\"" }
        guard !grams.isEmpty else { return nil }
        arguments += [grams.joined(separator: " ")]
        return "(place IN (1, 3) OR row IN (SELECT rowid FROM search WHERE search MATCH ?))"
    }

    private mutating func notebook(_ path: [UInt8]) -> String {
        let fitting = notebooks.filter { name in
            let folded = TextFold.fold(name)
            return folded == path || folded.starts(with: path + [0x2F])
        }
        // One value for all of them: there are limits to how many a statement takes.
        arguments += ["\n" + fitting.joined(separator: "\n") + "\n"]
        return "(notebook <> '' AND instr(?, char(10) || notebook || char(10)) > 0)"
    }

    private mutating func between(_ column: String, _ range: Range<Int64>) -> String {
        arguments += [range.lowerBound, range.upperBound]
        return "(\(column) >= ? AND \(column) < ?)"
    }

    private func has(_ feature: NoteQuery.Feature) -> String {
        switch feature {
        case .link: "features & \(NoteFeatures.link.rawValue)"
        case .title: "features & \(NoteFeatures.title.rawValue)"
        case .attachment: "features & \(NoteFeatures.attachment.rawValue)"
        case .tag: "tags <> ''"
        case .notebook: "notebook <> ''"
        case .draft: "id IN (SELECT note FROM draft WHERE discarded IS NULL AND note IS NOT NULL)"
        case .conflict: "id IN (SELECT note FROM otherHead)"
        }
    }

    private func place(_ state: NoteQuery.State) -> String {
        switch state {
        case .live: "place = 0"
        case .trashed: "place = 1"
        case .archived: "place = 2"
        case .template: "place = 3"
        case .pinned: "pinned"
        case .draft: has(.draft)
        case .conflict: has(.conflict)
        case .isPrivate: "features & \(NoteFeatures.isPrivate.rawValue)"
        // Every note is; what waits for a server comes with servers.
        case .persisted: "1"
        }
    }
}
