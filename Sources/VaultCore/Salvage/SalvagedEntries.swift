// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `SalvagedEntries` holds the entries that were found, of any device, and the chain that they make.
struct SalvagedEntries {
    private var devices: [[UInt8]: [UInt64: [[UInt8]]]] = [:]
    private(set) var count = 0

    /// Takes an entry that parses and is of its row's device and number; the newest versions come first.
    mutating func add(_ bytes: [UInt8], device: [UInt8], sequence: Int64) {
        guard let entry = try? Entry(parsing: bytes), entry.device == device, sequence > 0,
            entry.sequence == UInt64(sequence), devices[device]?[entry.sequence]?.contains(bytes) != true
        else { return }
        devices[device, default: [:]][entry.sequence, default: []].append(bytes)
        count += 1
    }

    /// The device with most entries: most vaults have one.
    var device: [UInt8]? { devices.max { $0.value.count < $1.value.count }?.key }

    /// The device whose entries these are; nil where there are several.
    var onlyDevice: [UInt8]? { devices.count == 1 ? devices.keys.first : nil }

    /// Returns the highest number of a device's entries.
    func lastSequence(of device: [UInt8]) -> UInt64 { devices[device]?.keys.max() ?? 0 }

    /// Returns the unbroken chain from the first entry on, as far as it goes.
    func chain(of device: [UInt8]) -> (entries: [Entry], digest: [UInt8]) {
        guard let found = devices[device] else { return ([], Entry.firstPrevious) }
        var entries: [Entry] = []
        var link = Entry.firstPrevious
        while let versions = found[UInt64(entries.count + 1)],
            let (bytes, entry) = Self.following(link, versions, next: found[UInt64(entries.count + 2)]),
            let digest = try? Digest.sha256(bytes)
        {
            entries.append(entry)
            link = digest
        }
        return (entries, link)
    }

    /// Returns the version of an entry that goes on from a link; of two that go on, the one that something follows.
    private static func following(
        _ link: [UInt8], _ versions: [[UInt8]], next: [[UInt8]]?
    ) -> (bytes: [UInt8], entry: Entry)? {
        let fitting = versions.compactMap { bytes in
            (try? Entry(parsing: bytes)).flatMap { $0.previous == link ? (bytes: bytes, entry: $0) : nil }
        }
        guard fitting.count > 1, let next else { return fitting.first }
        let previous = Set(next.compactMap { (try? Entry(parsing: $0))?.previous })
        return fitting.first { (try? Digest.sha256($0.bytes)).map { previous.contains($0) } ?? false } ?? fitting.first
    }

    /// Returns the entries of all devices but one, each device's in their order, as far as they are known.
    func others(than device: [UInt8]) -> [Entry] {
        devices.keys.filter { $0 != device }.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { all(of: $0) }
    }

    /// Puts together the entries of one device and of others, so that each revision comes behind those that it was made
    /// from.
    static func merged(_ own: [Entry], _ others: [Entry]) -> [Entry] {
        guard !others.isEmpty else { return own }
        var heads = NoteHeads()
        for entry in own + others { heads.add(entry) }
        var places: [NoteID: [RevisionID: Int]] = [:]
        let ranked = (own + others).enumerated().map { number, entry -> (rank: Int, number: Int, entry: Entry) in
            if places[entry.noteID] == nil {
                let order = heads.graph(of: entry.noteID)?.order ?? []
                places[entry.noteID] = Dictionary(zip(order, order.indices)) { first, _ in first }
            }
            let place = entry.operation.makesRevision ? places[entry.noteID]?[entry.revisionID] : nil
            return (place ?? .max, number, entry)
        }
        return ranked.sorted { ($0.rank, $0.number) < ($1.rank, $1.number) }.map(\.entry)
    }

    /// Returns all entries of a device in their order, with gaps where they are lost: what they say of notes is still
    /// so.
    func all(of device: [UInt8]) -> [Entry] {
        guard let found = devices[device] else { return [] }
        return found.keys.sorted().compactMap { number in found[number]?.first.flatMap { try? Entry(parsing: $0) } }
    }
}
