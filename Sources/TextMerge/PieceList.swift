// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Pieces in order; neighbours of one kind become one.
struct PieceList {
    private(set) var pieces: [WordDiff.Piece] = []

    mutating func append(_ kind: WordDiff.Kind, _ text: ArraySlice<UInt8>) {
        guard !text.isEmpty else { return }
        if let last = pieces.indices.last, pieces[last].kind == kind {
            pieces[last].text += text
        } else {
            pieces.append(WordDiff.Piece(kind: kind, text: Array(text)))
        }
    }
}
