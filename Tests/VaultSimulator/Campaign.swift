// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// `Campaign` makes many runs, one after another.
struct Campaign {
    /// `Failure` is a run that broke an invariant.
    struct Failure: CustomStringConvertible {
        let seed: UInt64
        let weather: String
        /// The parts without which it does not fail.
        let parts: [Int]
        let reasons: [String]

        var description: String {
            "seed \(seed), \(weather), \(parts.count) parts \(parts): \(reasons.joined(separator: "; "))"
        }
    }

    let root: URL
    let template: Template

    /// Works below a folder, on a file system in memory where there is one.
    init() throws {
        let shared = URL(fileURLWithPath: "/dev/shm")
        let base =
            FileManager.default.isWritableFile(atPath: shared.path) ? shared : FileManager.default.temporaryDirectory
        root = base.appending(path: "vault-simulator-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        template = try Template(in: root, Chance())
    }

    func end() { try? FileManager.default.removeItem(at: root) }

    /// Makes one run.
    ///
    /// - Parameter parts: what is played; nil for all.
    func run(
        seed: UInt64, _ weather: Weather, parts: [Int]? = nil, say: ((String) -> Void)? = nil
    ) throws -> (counts: World.Counts, failures: [String]) {
        let folder = root.appending(path: "run")
        let world = try World(seed: seed, weather, in: folder, template, say: say)
        defer { world.end() }
        world.run(parts ?? Array(0..<weather.actionCount))
        return (world.counts, world.failures)
    }

    /// Runs from a seed on until so many steps are done; ends at the first failure.
    func search(
        from first: UInt64, steps: Int, _ weathers: [Weather] = Weather.all, stop: () -> Bool = { false },
        report: (UInt64, World.Counts) -> Void = { _, _ in }
    ) throws -> (counts: World.Counts, failure: Failure?) {
        var counts = World.Counts()
        var seed = first
        while counts.steps < steps, !stop() {
            let weather = weathers[Int(seed % UInt64(weathers.count))]
            let run = try run(seed: seed, weather)
            counts.add(run.counts)
            report(seed, run.counts)
            guard run.failures.isEmpty else {
                return (counts, Failure(seed: seed, weather: weather.name, parts: [], reasons: run.failures))
            }
            seed += 1
        }
        return (counts, nil)
    }

    /// Makes a failing run as small as can be in so many tries; it must fail in the same way.
    func minimised(
        seed: UInt64, _ weather: Weather, tries: Int, say: ((String) -> Void)? = nil
    ) throws -> Failure {
        var (parts, tries) = (Array(0..<weather.actionCount), tries)
        func words(_ failures: [String]) -> String? { failures.first.map { $0.filter { !$0.isNumber } } }
        let wanted = try words(run(seed: seed, weather).failures)
        var size = parts.count / 2
        while size > 0, tries > 0 {
            var start = 0
            while start < parts.count, tries > 0 {
                tries -= 1
                let tried = Array(parts[..<start] + parts[min(start + size, parts.count)...])
                let failures = try run(seed: seed, weather, parts: tried).failures
                if words(failures) == wanted { parts = tried } else { start += size }
            }
            size /= 2
        }
        let last = try run(seed: seed, weather, parts: parts, say: say)
        return Failure(seed: seed, weather: weather.name, parts: parts, reasons: last.failures)
    }
}
