// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `TableWalk` finds the rows of a table that can still be reached where pages of it do not open.
///
/// A page that does not open hides the rows on it, which follow one another. Behind them rows are found by seeking to
/// keys further and further on, then back by halves to the first that opens: some thousand seeks at most.
struct TableWalk {
    let table: String
    /// Its integer key.
    let key: String
    /// The largest key: no row lies after it.
    let end: Int64

    /// The first key from one on.
    var sql: String { "SELECT \(key) FROM \(table) NOT INDEXED WHERE \(key) >= ? ORDER BY \(key) LIMIT 1" }

    /// Finds the next key behind `last` that can be reached.
    ///
    /// - Parameter read: the first key from the one given on; nil when there is none.
    /// - Returns: nil at the end; and whether keys before it could not be reached.
    /// - Throws: what `read` throws but `VaultError.integrity`.
    func next(
        after last: Int64, _ read: (Int64) throws(VaultError) -> Int64?
    ) throws(VaultError) -> (key: Int64?, hasLost: Bool) {
        guard last < .max / 2 else { return (nil, false) }
        if let found = try seek(last + 1, read) { return (found.key, false) }
        var (hidden, distance) = (last + 1, Int64(1))
        while hidden < end {
            distance += 1 + distance / 64
            let tried = last + distance
            if let found = try seek(tried, read) {
                return (try first(from: hidden, to: tried, found, read), true)
            }
            hidden = tried
        }
        return (nil, true)
    }

    /// Finds the first key that can be reached, between one that cannot and one that can.
    private func first(
        from hidden: Int64, to open: Int64, _ found: Reached,
        _ read: (Int64) throws(VaultError) -> Int64?
    ) throws(VaultError) -> Int64? {
        var (hidden, open, found) = (hidden, open, found)
        while open - hidden > 1 {
            let middle = hidden + (open - hidden) / 2
            if let nearer = try seek(middle, read) { (open, found) = (middle, nearer) } else { hidden = middle }
        }
        return found.key
    }

    private struct Reached {
        let key: Int64?
    }

    /// Reads the first key from one on.
    ///
    /// - Returns: nil where the page does not open.
    private func seek(
        _ first: Int64, _ read: (Int64) throws(VaultError) -> Int64?
    ) throws(VaultError) -> Reached? {
        do throws(VaultError) {
            let found = try read(first)
            // Of a sound table it is no smaller; where an old page leads back the walk would never end.
            if let found, found < first { return nil }
            return Reached(key: found)
        } catch {
            guard error.isDamageOfPages else { throw error }
            return nil
        }
    }
}

extension VaultError {
    /// Whether it is damage of pages: a page that does not open, or a statement that SQLite ended because another one
    /// had met such a page.
    var isDamageOfPages: Bool { code == .integrity || (code == .saveFailed && systemError == 0) }
}
