// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CFaults
import CSystemShims
import Foundation
import Glibc
import VaultCore

/// Records a load, replays it to every state that a power cut may leave, and opens, checks and reads each.
struct PowerTrials {
    private let root: URL
    private let keyFile: URL
    private let cut: PowerCut
    /// What is there when so many steps are done.
    private var found: [Scene.Found?] = []

    init(_ root: URL, _ load: PowerLoad) throws {
        self.root = root
        keyFile = root.appending(path: "key")
        try FileManager.default.createDirectory(
            at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let scene = Scene(root.appending(path: "recorded"), keyFile: keyFile)
        try FileManager.default.createDirectory(
            at: scene.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try load.prepare(scene)
        let start = try DiskImage(of: scene.folder)
        cut = PowerCut(start: start, calls: try Self.record(scene, load))
        for number in 0...load.steps.count {
            // The last call before the mark of a step: by then all of it is there.
            let end = cut.calls.firstIndex { if case .mark(number) = $0 { true } else { false } } ?? 0
            found.append(try look(cut.image(end)))
        }
    }

    private static func record(_ scene: Scene, _ load: PowerLoad) throws -> [RecordedCall] {
        // In memory, so that it stands on another file system than what is recorded.
        let record = vs_memory_file()
        guard record >= 0, unsafe cf_record(record, scene.folder.path) == 0 else {
            throw Scene.Failure(words: "nothing can be recorded")
        }
        defer { close(record) }
        let run = PowerLoad.Run(scene)
        for (number, step) in load.steps.enumerated() {
            try step(run)
            cf_mark(number + 1)
        }
        cf_record_end()
        return try RecordedCall.list(Array(FileHandle(fileDescriptor: record, closeOnDealloc: false).readBack()))
    }

    private func look(_ image: DiskImage) throws -> Scene.Found? {
        let folder = root.appending(path: "cut")
        try? FileManager.default.removeItem(at: folder)
        try image.put(into: folder)
        return try Scene(folder, keyFile: keyFile).look()
    }

    /// With a time, every k-th place.
    func run(seconds: Double?) throws -> Tally {
        var tally = Tally()
        tally.steps = cut.calls.count
        guard Set(found.map { $0.map { "\($0)" } ?? "" }).count > 1 else {
            throw Scene.Failure(words: "the load changes nothing")
        }
        var seen: Set<Int> = []
        let clock = ContinuousClock()
        let end = seconds.map { clock.now + .seconds($0) }
        // In an order that goes through all of it at once, so that a shorter run sees each part.
        let stride = seconds == nil ? 1 : 17
        for begin in 0..<stride {
            for place in Swift.stride(from: begin, to: cut.placeCount, by: stride) {
                for state in cut.states(after: place)
                where seen.insert(state.image.fingerprint ^ cut.acknowledged(place)).inserted {
                    if let end, clock.now > end, tally.tried > 0 { return tally }
                    judge(state, &tally)
                }
            }
        }
        return tally
    }

    private func judge(_ state: PowerCut.State, _ tally: inout Tally) {
        let acknowledged = cut.acknowledged(state.callCount)
        tally.tried += 1
        do {
            let seen = try look(state.image)
            // The step that was running may be there or not, and nothing else may differ.
            guard found[acknowledged...].prefix(2).contains(seen) else {
                throw Scene.Failure(words: "neither as before nor as after")
            }
            tally.survived += 1
        } catch {
            tally.failures.append("after call \(state.callCount) of step \(acknowledged + 1), \(state.words): \(error)")
        }
    }
}

extension FileHandle {
    fileprivate func readBack() throws -> Data {
        try seek(toOffset: 0)
        return try readToEnd() ?? Data()
    }
}
