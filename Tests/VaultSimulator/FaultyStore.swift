// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncProtocol
import VaultCrypto

@testable import VaultAgent

/// `FaultyStore` is the store of a remote, with every fault a store can have, each as often as the weather says.
final class FaultyStore {
    private struct Put {
        let name: StoreName
        let bytes: [UInt8]
        let visible: Int64
    }

    var weather: Weather
    private let chance: Chance
    private(set) var files: [StoreName: [UInt8]] = [:]
    private var delayed: [Put] = []
    private var old: [StoreName: [UInt8]] = [:]
    /// Which device has put a name first.
    private(set) var writers: [StoreName: Int] = [:]
    private var contents: [StoreName: [UInt8]] = [:]
    /// The device whose files one reader is not shown, and the reader.
    private(set) var hidden: (writer: Int, reader: Int)?
    /// A fault was played that an honest store does not have.
    private(set) var hasLied = false
    /// What was put and must never be.
    private(set) var offences: [String] = []
    private(set) var requestCount = 0
    private(set) var byteCount = 0

    init(_ weather: Weather, _ chance: Chance) { (self.weather, self.chance) = (weather, chance) }

    // MARK: Requests

    func put(_ name: StoreName, _ bytes: [UInt8], by writer: Int, now: Int64) -> RemoteLink.Answer {
        requestCount += 1
        byteCount += bytes.count
        look(at: bytes, name, writer)
        if chance.isNow(weather.failed) { return .failed(StoreFailure(.unreachable)) }
        if chance.isNow(weather.putsTorn) {
            files[name] = Array(bytes.prefix(chance.below(bytes.count)))
            return .failed(StoreFailure(.timedOut))
        }
        if chance.isNow(weather.putsLied) {
            hasLied = true
            return .done
        }
        if chance.isNow(weather.putsDelayed) {
            delayed.append(Put(name: name, bytes: bytes, visible: now + Int64(chance.below(300_000))))
        } else {
            files[name] = bytes
        }
        return chance.isNow(weather.answersLost) ? .failed(StoreFailure(.timedOut)) : .done
    }

    func get(_ name: StoreName, by reader: Int, now: Int64) -> RemoteLink.Answer {
        requestCount += 1
        arrive(now)
        if chance.isNow(weather.failed) { return .failed(StoreFailure(.failing)) }
        guard let bytes = files[name], !isHidden(name, from: reader) else { return .failed(StoreFailure(.absent)) }
        if chance.isNow(weather.swapped), name.area != .header {
            hasLied = true
            if chance.isNow(500) { return .bytes(bytes.dropLast() + [bytes.last.map { $0 ^ 1 } ?? 0]) }
            return chance.pick(names(of: name.area)).flatMap { files[$0] }.map { .bytes($0) } ?? .bytes(bytes)
        }
        return .bytes(bytes)
    }

    func list(_ folder: StoreFolder, by reader: Int, now: Int64) -> RemoteLink.Answer {
        requestCount += 1
        arrive(now)
        if chance.isNow(weather.failed) { return .failed(StoreFailure(.throttled)) }
        let shown = names(of: folder.area).filter { name in
            name.folder == folder && !isHidden(name, from: reader) && !chance.isNow(weather.listsShort)
        }
        return .bytes(shown.flatMap { Array(($0.text + "\n").utf8) })
    }

    func delete(_ name: StoreName) -> RemoteLink.Answer {
        requestCount += 1
        if chance.isNow(weather.failed) { return .failed(StoreFailure(.failing)) }
        files[name] = nil
        return .done
    }

    /// The names of an area, in their order.
    func names(of area: StoreArea) -> [StoreName] {
        files.keys.filter { $0.area == area }.sorted { $0.text < $1.text }
    }

    private func isHidden(_ name: StoreName, from reader: Int) -> Bool {
        hidden?.reader == reader && hidden?.writer == writers[name] && name.area != .header
    }

    private func arrive(_ now: Int64) {
        for put in delayed where put.visible <= now { files[put.name] = put.bytes }
        delayed.removeAll { $0.visible <= now }
    }

    /// What no key opens must be all that a store ever gets, and what has a name has one content for ever.
    private func look(at bytes: [UInt8], _ name: StoreName, _ writer: Int) {
        if Marker.isIn(bytes) { offences.append("plain text was put under a name of \(name.area)") }
        if let known = contents[name], known != bytes {
            offences.append("two contents were put under one name of \(name.area)")
        }
        contents[name] = bytes
        writers[name] = writers[name] ?? writer
    }

    // MARK: What a malicious store does

    func remember() { old = files }

    func rewind() {
        guard !old.isEmpty, old.count != files.count else { return }
        (files, hasLied) = (old, true)
    }

    func hide(_ writer: Int, from reader: Int) { (hidden, hasLied) = ((writer, reader), true) }

    func becomeFaultless() {
        weather = weather.faultless
        arrive(.max)
        hidden = nil
    }
}

/// `Marker` stands in every text, name and file that a person makes: it must be in none that a store gets.
enum Marker {
    static let text = "quokka-5d1e"
    private static let bytes = Array(text.utf8)

    static func isIn(_ content: [UInt8]) -> Bool {
        guard content.count >= bytes.count else { return false }
        var start = 0
        while let found = content[start...].firstIndex(of: bytes[0]), found + bytes.count <= content.count {
            if content[found..<found + bytes.count].elementsEqual(bytes) { return true }
            start = found + 1
        }
        return false
    }
}
