// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// An `IndexState` is the index's one row of counters.
struct IndexState {
    var schema: Int
    var generation: UInt64
    var device: [UInt8]
    var sequence: UInt64
    var chain: [UInt8]
    var counts: NoteCounts
    var fold: [UInt8]

    static func fetch(_ database: Database) throws -> IndexState {
        guard let row = try database.cachedStatement("SELECT * FROM state").row() else { throw VaultError(.integrity) }
        var counts = NoteCounts()
        counts[.live] = try row.count("live")
        counts[.trash] = try row.count("trashed")
        let schema = try row.count("schema")
        if schema > 1 {
            counts[.archive] = try row.count("archived")
            counts[.template] = try row.count("templates")
        }
        if schema >= Schema.firstWithBooks { counts[.book] = try row.count("books") }
        return IndexState(
            schema: schema, generation: UInt64(clamping: try row.integer("generation")),
            device: try row.bytes("device"),
            sequence: UInt64(clamping: try row.integer("sequence")), chain: try row.bytes("chain"), counts: counts,
            fold: try row.bytes("fold"))
    }

    static func insert(_ database: Database, device: [UInt8], fold: [UInt8]) throws {
        try database.execute(
            sql: "INSERT INTO state VALUES(1, ?, 1, ?, 0, ?, 0, 0, ?, 0, 0, 0, 0)",
            arguments: [Schema.version, device.blob, Entry.firstPrevious.blob, fold.blob])
    }

    /// Counts one more committed transaction; returns the new generation.
    static func advanceGeneration(_ database: Database) throws -> UInt64 {
        try database.cachedStatement("UPDATE state SET generation = generation + 1").execute()
        return try fetch(database).generation
    }

    static func raiseGeneration(_ database: Database, above generation: UInt64) throws {
        try database.execute(
            sql: "UPDATE state SET generation = max(generation, ?) + 1", arguments: [Int64(clamping: generation)])
    }

    /// Writes back what an operation changed.
    func save(_ database: Database) throws {
        try database.cachedStatement(
            "UPDATE state SET sequence = ?, chain = ?, live = ?, trashed = ?, archived = ?, templates = ?, books = ?, fold = ?"
        )
        .execute(arguments: [
            Int64(clamping: sequence), chain.blob, counts[.live], counts[.trash], counts[.archive], counts[.template],
            counts[.book], fold.blob,
        ])
    }
}

/// `NoteCounts` says how many notes lie in each place.
public struct NoteCounts: Sendable, Equatable {
    private var numbers = [Int](repeating: 0, count: NotePlace.allCases.count)

    public init() {}

    var total: Int { numbers.reduce(0, +) }

    public subscript(place: NotePlace) -> Int {
        get { numbers[Int(place.rawValue)] }
        set { numbers[Int(place.rawValue)] = newValue }
    }
}
