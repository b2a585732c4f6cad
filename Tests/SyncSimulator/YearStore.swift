// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine

/// `YearSizes` says how many bytes things have on a remote (docs/format.md §25.5 and §25.7): no key is at hand here, so
/// the layout and Padmé are restated. `YearReport` refuses to run when the worked sizes of §25.10 do not come out.
enum YearSizes {
    static let header = 351
    static let card = 328
    /// What a listing says of one name, roughly.
    static let listed = 300
    /// Largest contents of a span, together.
    static let packed = 16 << 20
    /// Largest bodies of a segment, together, unless it holds one entry.
    static let bodies = 8 << 20
    private static let part = 1024 * 16_400

    static func body(parents: Int, text: Int) -> Int { 5 + 86 + 16 * parents + 5 + 155 + text }

    static func content(of segment: Segment) -> Int {
        let lists = 56 * segment.vector.count + 16 * (segment.forked.count + segment.retired.count)
        return 102 + (segment.nextHeader == nil ? 0 : 40) + lists
            + segment.entries.reduce(0) { $0 + 4 + $1.body.count }
    }

    static func span(_ contents: some Sequence<Int>, of count: UInt64) -> Int {
        contents.reduce(10 + Int(count)) { $0 + 28 + $1 }
    }

    /// Padded to 4 KiB at least, and sealed.
    static func sealed(_ content: Int) -> Int {
        let size = max(4096, padme(content + 8))
        return 56 + size + 16 * (size / 16_384 + 1)
    }

    static func padme(_ size: Int) -> Int {
        guard size > 2 else { return size }
        let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
        let mask = (1 << (exponent - (Int.bitWidth - exponent.leadingZeroBitCount))) - 1
        return (size + mask) & ~mask
    }

    /// The sizes of the parts in which a file of an attachment lies on a remote.
    static func parts(of file: Int) -> [Int] {
        let padded = padme(file)
        let size = 56 + padded + 16 * (padded / 16_384 + 1)
        let count = max(1, ((size - 56) / 16_400 + 1023) / 1024)
        return (0..<count).map { $0 + 1 < count ? part : size - part * (count - 1) }
    }
}

/// `YearObject` is what lies under a place, with the sizes of the contents of segments.
struct YearObject {
    enum Content {
        case card
        case segment(OpenedSegment, size: Int)
        case span([(opened: OpenedSegment, size: Int)])
    }

    let content: Content
    let byteCount: Int

    var answer: Answer {
        switch content {
        case .card: .unreadable
        case .segment(let opened, _): .segment(opened)
        case .span(let segments): .span(segments.map(\.opened))
        }
    }
}

/// `YearCounts` counts requests, and the bytes of what they carry without what a protocol puts around it.
struct YearCounts {
    var found = 0
    var absent = 0
    var puts = 0
    var lists = 0
    var deletes = 0
    var up = 0
    var down = 0
    /// Parts of files that were found, and their bytes: also among the above.
    var parts = 0
    var partsDown = 0
    /// Requests each of which follows from an answer to the one before.
    var trips = 0
    /// Rounds, and when the last one has begun, in seconds after the first.
    var rounds = 0
    var seconds = 0

    mutating func add(_ more: YearCounts, trips: Int, seconds: Int) {
        found += more.found
        absent += more.absent
        puts += more.puts
        lists += more.lists
        deletes += more.deletes
        up += more.up
        down += more.down
        parts += more.parts
        partsDown += more.partsDown
        self.trips += trips
        rounds += 1
        self.seconds = seconds
    }

    var requests: Int { found + absent + puts + lists + deletes }

    static func - (left: YearCounts, right: YearCounts) -> YearCounts {
        YearCounts(
            found: left.found - right.found, absent: left.absent - right.absent, puts: left.puts - right.puts,
            lists: left.lists - right.lists, deletes: left.deletes - right.deletes, up: left.up - right.up,
            down: left.down - right.down, parts: left.parts - right.parts,
            partsDown: left.partsDown - right.partsDown)
    }
}

/// `YearStore` is an honest store in memory, and counts.
struct YearStore {
    private(set) var counts = YearCounts()
    private(set) var objects: [Place: YearObject] = [:]
    private(set) var parts: [Int] = []
    private(set) var hasHeader = false

    mutating func get(_ place: Place) -> Answer {
        guard let object = objects[place] else {
            counts.absent += 1
            return .absent
        }
        counts.found += 1
        counts.down += object.byteCount
        return object.answer
    }

    mutating func put(_ place: Place, _ object: YearObject) {
        put(object.byteCount)
        objects[place] = object
    }

    mutating func delete(_ place: Place) {
        counts.deletes += 1
        objects[place] = nil
    }

    mutating func putHeader() {
        put(YearSizes.header)
        hasHeader = true
    }

    mutating func putPart(_ size: Int) {
        put(size)
        parts.append(size)
    }

    private mutating func put(_ size: Int) {
        counts.puts += 1
        counts.up += size
    }

    mutating func readPart(_ size: Int) {
        read(size)
        counts.parts += 1
        counts.partsDown += size
    }

    /// Lists a folder with so many names.
    mutating func list(_ names: Int) {
        counts.lists += 1
        counts.down += names * YearSizes.listed
    }

    /// Reads something that is there and is no object of a chain.
    mutating func read(_ size: Int) {
        counts.found += 1
        counts.down += size
    }

    var cards: [DeviceID] { objects.keys.filter { $0.kind == .card }.map(\.device) }
}
