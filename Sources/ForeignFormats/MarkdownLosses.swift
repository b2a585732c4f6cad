// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Losses of one note, each told once, at most as many as a record holds.
struct MarkdownLosses {
    private(set) var list: [Loss] = []

    mutating func add(_ code: Loss.Code, detail: String = "") {
        let loss = Loss(code, detail: detail)
        guard list.count < ParsedNote.lossCountMax, !list.contains(loss) else { return }
        // The last place says that the list is cut.
        list.append(list.count == ParsedNote.lossCountMax - 1 ? Loss(.moreLosses) : loss)
    }
}
