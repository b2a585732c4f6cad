// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Finds numbers by names, whatever the names' case and however their letters are composed, in 16 bytes for each.
///
/// Only hashes are kept. Their seed is this process's own, so nobody can choose two names that meet; should two meet
/// all the same, a name has a number that is not its own.
struct NameTable {
    private struct Entry {
        let hash: Int
        let place: Int32
    }

    private var entries: [Entry] = []

    mutating func add(_ name: String, _ place: Int) {
        entries.append(Entry(hash: Self.hash(name), place: Int32(clamping: place)))
    }

    /// Before the first look-up and after the last name.
    mutating func sort() { entries.sort { ($0.hash, $0.place) < ($1.hash, $1.place) } }

    /// - Returns: at most `max` of the name's numbers, the lowest first.
    func places(_ name: String, max: Int) -> [Int] {
        let wanted = Self.hash(name)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].hash < wanted { low = middle + 1 } else { high = middle }
        }
        var places: [Int] = []
        while low < entries.count, entries[low].hash == wanted, places.count < max {
            // A note may have a name twice.
            if places.last != Int(entries[low].place) { places.append(Int(entries[low].place)) }
            low += 1
        }
        return places
    }

    /// A string's hash is that of its normal form.
    private static func hash(_ name: String) -> Int {
        var hasher = Hasher()
        hasher.combine(name.lowercased())
        return hasher.finalize()
    }
}
