// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncProtocol

@testable import VaultAgent

/// `SimulatedLink` is a device's way to the store, in the place of a `vault-sync`: one thing at a time, chosen by
/// chance, so that a kill can come between any two.
final class SimulatedLink: StoreLink {
    fileprivate enum Request {
        case get(StoreName)
        case put(StoreName, [UInt8])
        case list(StoreFolder)
        case delete(StoreName)
    }

    private struct Waiting {
        let request: Request
        let completion: (RemoteLink.Answer) -> Void
        /// The store has done it, and nobody knows yet.
        var answer: RemoteLink.Answer?
    }

    private let world: World
    private let device: Int
    private var waiting: [Waiting] = []
    private(set) var answeredCount = 0
    private(set) var failure: StoreFailure?
    var whenChanged: (() -> Void)?
    private static let openCountMax = 12

    init(_ world: World, device: Int) { (self.world, self.device) = (world, device) }

    var descriptor: Int32? { nil }
    var isIdle: Bool { waiting.isEmpty }
    func forgetFailure() { failure = nil }
    func end() { waiting = [] }

    func get(_ name: StoreName, _ completion: @escaping (RemoteLink.Answer) -> Void) { ask(.get(name), completion) }
    func list(_ folder: StoreFolder, _ completion: @escaping (RemoteLink.Answer) -> Void) {
        ask(.list(folder), completion)
    }
    func delete(_ name: StoreName, _ completion: @escaping (RemoteLink.Answer) -> Void) {
        ask(.delete(name), completion)
    }
    func put(_ name: StoreName, _ bytes: [UInt8], _ completion: @escaping (RemoteLink.Answer) -> Void) {
        ask(.put(name, bytes), completion)
    }

    private func ask(_ request: Request, _ completion: @escaping (RemoteLink.Answer) -> Void) {
        // No program could be started: whoever asks hears of it before it has asked.
        if waiting.isEmpty, world.chance.isNow(world.store.weather.linksCut) {
            failure = StoreFailure(.unreachable)
            return completion(.failed(StoreFailure(.unreachable)))
        }
        waiting.append(Waiting(request: request, completion: completion))
    }

    func step() {
        guard !waiting.isEmpty else { return }
        if world.chance.isNow(world.store.weather.linksCut) { return cut() }
        let at = world.chance.below(min(waiting.count, Self.openCountMax))
        guard let answer = waiting[at].answer else { return waiting[at].answer = done(waiting[at].request) }
        tell(waiting.remove(at: at), answer)
    }

    private func done(_ request: Request) -> RemoteLink.Answer {
        let now = world.now
        let answer =
            switch request {
            case .get(let name): world.store.get(name, by: device, now: now)
            case .put(let name, let bytes): world.store.put(name, bytes, by: device, now: now)
            case .list(let folder): world.store.list(folder, by: device, now: now)
            case .delete(let name): world.store.delete(name)
            }
        let words =
            switch answer {
            case .done: "done"
            case .bytes(let bytes): "\(bytes.count) bytes"
            case .failed(let reason): "\(reason.code)"
            }
        world.trace("device \(device) asks \(request.words): \(words)")
        return answer
    }

    /// Counts as `RemoteLink` does.
    private func tell(_ done: Waiting, _ answer: RemoteLink.Answer) {
        switch answer {
        case .bytes, .done: answeredCount += 1
        case .failed(let reason):
            if reason.code == .absent { answeredCount += 1 } else { failure = reason }
        }
        done.completion(answer)
    }

    /// The program has ended: nobody hears what became of what was asked.
    private func cut() {
        failure = StoreFailure(.unreachable)
        let all = waiting
        waiting = []
        for one in all { one.completion(.failed(StoreFailure(.unreachable))) }
    }
}

extension SimulatedLink.Request {
    fileprivate var words: String {
        switch self {
        case .get(let name): "get \(name.area) \(name.text.prefix(8))"
        case .put(let name, let bytes): "put \(name.area) \(name.text.prefix(8)), \(bytes.count) bytes"
        case .list(let folder): "list \(folder.area)"
        case .delete(let name): "delete \(name.area) \(name.text.prefix(8))"
        }
    }
}
