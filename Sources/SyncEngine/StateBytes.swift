// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `StateWriter` writes a state: numbers big-endian, sets and dictionaries in the order of their keys.
struct StateWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }
    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
    mutating func word(_ value: UInt64) { bytes += bigEndian(value) }
    mutating func half(_ value: UInt32) { bytes += bigEndian(UInt64(value)).suffix(4) }
    mutating func id(_ value: Identifier) { bytes += value.bytes }
    mutating func digest(_ value: Digest) { bytes += value.bytes }

    mutating func mark(_ value: Mark) {
        word(value.number)
        digest(value.digest)
    }

    mutating func place(_ value: Place) {
        switch value.kind {
        case .card: byte(0)
        case .segment: byte(1)
        case .span(let level): byte(UInt8(clamping: 1 + level))
        }
        half(value.epoch)
        id(value.device)
        word(value.number)
    }

    mutating func optional<Value>(_ value: Value?, _ body: (inout StateWriter, Value) -> Void) {
        flag(value != nil)
        if let value { body(&self, value) }
    }

    mutating func list<Values: Collection>(_ values: Values, _ body: (inout StateWriter, Values.Element) -> Void) {
        half(UInt32(clamping: values.count))
        for value in values { body(&self, value) }
    }

    mutating func numbers(_ values: [Identifier: UInt64]) {
        list(values.sorted { $0.key < $1.key }) { writer, one in
            writer.id(one.key)
            writer.word(one.value)
        }
    }
}

/// `StateReader` reads a state back and believes nothing: memory is taken as each value is read, not because a number
/// announces it.
struct StateReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func take(_ count: Int) throws(StateError) -> ArraySlice<UInt8> {
        guard bytes.count - at >= count else { throw .malformed }
        at += count
        return bytes[at - count..<at]
    }

    func end() throws(StateError) { guard at == bytes.count else { throw .malformed } }

    mutating func byte() throws(StateError) -> UInt8 {
        guard let value = try take(1).first else { throw .malformed }
        return value
    }

    mutating func flag() throws(StateError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    mutating func word() throws(StateError) -> UInt64 { try take(8).reduce(0) { $0 << 8 | UInt64($1) } }
    mutating func half() throws(StateError) -> UInt32 { try take(4).reduce(0) { $0 << 8 | UInt32($1) } }

    /// Reads the number of a segment or an entry: no chain is longer, so that sums never overflow.
    mutating func number() throws(StateError) -> UInt64 {
        let number = try word()
        guard number <= 1 << 62 else { throw .malformed }
        return number
    }

    mutating func id() throws(StateError) -> Identifier { Identifier(high: try word(), low: try word()) }
    mutating func digest() throws(StateError) -> Digest { Digest(try word(), try word(), try word(), try word()) }
    mutating func mark() throws(StateError) -> Mark { Mark(number: try number(), digest: try digest()) }

    mutating func place() throws(StateError) -> Place {
        let kind: Place.Kind
        switch try byte() {
        case 0: kind = .card
        case 1: kind = .segment
        case let code where code <= 4: kind = .span(level: Int(code) - 1)
        default: throw .malformed
        }
        return Place(kind: kind, epoch: try half(), device: try id(), number: try number())
    }

    mutating func optional<Value>(
        _ body: (inout StateReader) throws(StateError) -> Value
    ) throws(StateError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    mutating func list<Value>(
        _ body: (inout StateReader) throws(StateError) -> Value
    ) throws(StateError) -> [Value] {
        let count = try half()
        var values: [Value] = []
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }

    /// Reads values in their order, none twice: a state has one encoding.
    mutating func ascending<Value, Key: Comparable>(
        by key: (Value) -> Key, _ body: (inout StateReader) throws(StateError) -> Value
    ) throws(StateError) -> [Value] {
        let values = try list(body)
        guard zip(values, values.dropFirst()).allSatisfy({ key($0) < key($1) }) else { throw .malformed }
        return values
    }

    mutating func ids() throws(StateError) -> Set<Identifier> {
        Set(try ascending(by: { $0 }) { (reader) throws(StateError) in try reader.id() })
    }

    mutating func numbers() throws(StateError) -> [Identifier: UInt64] {
        let pairs = try ascending(by: \.id) { (reader) throws(StateError) in
            (id: try reader.id(), number: try reader.number())
        }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0.id, $0.number) })
    }
}
