// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText

/// A note's folded texts, for the terms that only they can decide.
struct FoldedNote {
    let title: [UInt8]
    let body: [UInt8]

    /// How well all terms that are about words fit; nil when one does not. Terms of other kinds were decided by the tables.
    func score(of terms: [NoteQuery.Term]) -> Int? {
        var score = 0
        for term in terms where Self.isAboutWords(term) {
            let best = term.conditions.compactMap(match).max()
            if term.isNegated {
                guard best == nil else { return nil }
            } else {
                guard let best else { return nil }
                score += best
            }
        }
        return score
    }

    private static func isAboutWords(_ term: NoteQuery.Term) -> Bool {
        switch term.conditions.first {
        case .text, .title: true
        default: false
        }
    }

    private func match(_ condition: NoteQuery.Condition) -> Int? {
        switch condition {
        case .text(let needle): SearchQuery(needle: needle).flatMap { TextMatch.match($0, title: title, body: body)?.score }
        case .title(let needle): SearchQuery(needle: needle).flatMap { TextMatch.match($0, title: title, body: [])?.score }
        default: nil
        }
    }
}
