// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite

/// A `SalvagedRow` says which table a cell could be of, as far as the types and sizes of its values tell: the tree that
/// it hung in is not asked. What it is shows when it opens, or parses.
enum SalvagedRow {
    case revision, entry, noteKey, attachment, thumbnail, draft, keyslot, change, state, rotation, pendingUnlink
    case statement, agreedKeyslot
    /// A row of the lists: it proves nothing, but may still tell the title of a note that is lost.
    case note

    /// Sealed values have at least nonce, commitment and tag.
    private static let sealedByteCountMin = 72
    private static let entryByteCountMin = 86

    init?(_ cell: PageSalvage.Cell) {
        guard let found = Self.kind(cell.columns) else { return nil }
        self = found
    }

    private static func kind(_ columns: [SalvagedColumn]) -> SalvagedRow? {
        func isSealed(_ column: Int) -> Bool {
            columns[column].isBlob && columns[column].byteCount >= sealedByteCountMin
        }
        func areIntegers(_ range: ClosedRange<Int>) -> Bool { columns[range].allSatisfy(\.isInteger) }
        switch columns.count {
        case 2:
            if columns[0].isBlob(of: 32), columns[1].isInteger { return .pendingUnlink }
            // A row of `heard` has this form too, and no time is an epoch.
            if columns[0].isBlob(of: 16), columns[1].isInteger { return .agreedKeyslot }
            guard isSealed(1) else { return nil }
            return columns[0].isBlob(of: 10) ? .noteKey : columns[0].isBlob(of: 16) ? .thumbnail : nil
        case 3 where columns[0].isBlob(of: 16) && columns[1].isInteger:
            return columns[2].isBlob && columns[2].byteCount >= entryByteCountMin ? .entry : nil
        // What a second copy has of a rotation's row.
        case 3 where columns[0].isInteger && isSealed(1): return columns[2].isInteger ? .rotation : nil
        case 4 where columns[0].isBlob(of: 16) && columns[1].isBlob(of: 10) && columns[2].isInteger:
            return columns[3].isBlob ? .statement : nil
        case 3...5 where columns[0].isBlob(of: 16) && columns[1].isBlob(of: 10):
            if columns.count > 3, columns[2].isBlob(of: 32), isSealed(3) {
                return columns.count == 4 || columns[4].isInteger ? .attachment : nil
            }
            return isSealed(2) && (columns.count == 3 || columns.count == 4 && columns[3].isInteger) ? .revision : nil
        case 4: return columns[0].isBlob(of: 16) && columns[1].isText && areIntegers(2...3) ? .keyslot : nil
        case 6:
            let fits = columns[0].isNull && columns[1].isInteger && columns[2].isText && areIntegers(3...5)
            return fits ? .change : nil
        case 7:
            let fits = columns[0].isNull && isSealed(1) && areIntegers(2...3) && columns[4].isBlob && areIntegers(5...6)
            return fits ? .rotation : nil
        case 12 where columns[0].isBlob(of: 16): return isSealed(1) ? .draft : nil
        case 9...13 where columns[0].isNull:
            let fits = areIntegers(1...2) && columns[3].isBlob(of: 16) && columns[4].isInteger
            return fits && columns[5].isBlob(of: 32) ? .state : nil
        case 15:
            return columns[0].isNull && columns[1].isBlob(of: 10) && columns[2].isBlob(of: 16) && columns[9].isText
                ? .note : nil
        default: return nil
        }
    }
}

/// A `SalvagedState` holds the index's counters as a page still has them.
struct SalvagedState {
    let generation: UInt64
    let device: [UInt8]
    let sequence: UInt64
    let chain: [UInt8]
    let wordsLeft: Bool
    /// It lies in a page that a newer version has taken the place of.
    var isOlder = false

    init?(_ record: SalvagedRecord) {
        guard let generation = record.integer(2), let device = record.blob(3), let sequence = record.integer(4),
            let chain = record.blob(5), generation > 0, sequence >= 0
        else { return nil }
        self.generation = UInt64(clamping: generation)
        self.device = device
        self.sequence = UInt64(clamping: sequence)
        self.chain = chain
        wordsLeft = record.integer(11) == 1
    }
}
