// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CFaults
import Foundation
import Glibc
import VaultCore

/// One job again and again, each time in a forked process on a fresh copy of the vault, with one fault.
struct Trials {
    private let root: URL
    private let template: URL

    init(_ root: URL) throws {
        self.root = root
        template = root.appending(path: "template")
        let scene = try freshScene(empty: true)
        try scene.prepare()
        try scene.fill()
        try FileManager.default.copyItem(at: scene.folder, to: template)
        try FileManager.default.copyItem(at: root.appending(path: "key-of-init"), to: root.appending(path: "key"))
    }

    func run(_ job: FaultJob, kinds: [(name: String, number: Int32)], seconds: Double?) throws -> Tally {
        var tally = Tally()
        // Forked, so that the library's state is the same in every trial.
        let (steps, before, after) = try measure(job)
        tally.steps = steps
        let clock = ContinuousClock()
        var stride = 1
        if let seconds {
            let begin = clock.now
            try trial(job, steps / 2, kinds[3], before, after, &tally)
            let each = max(begin.duration(to: clock.now) / .seconds(1), 0.001)
            // At least four places of each kind, however slow the machine.
            stride = max(1, min(steps / 4, Int((Double(steps * kinds.count) * each / seconds).rounded(.up))))
        }
        for (offset, kind) in kinds.enumerated() {
            for step in Swift.stride(from: 1 + offset % stride, through: steps, by: stride) {
                try trial(job, step, kind, before, after, &tally)
            }
        }
        return tally
    }

    /// How many calls the job makes, and what is there before and after it.
    private func measure(_ job: FaultJob) throws -> (Int, Scene.Found?, Scene.Found?) {
        let untouched = try freshScene(empty: job == .`init`)
        let before = try untouched.look()
        let scene = try freshScene(empty: job == .`init`)
        if job == .`init` { try scene.prepare() }
        cf_arm(0, 0)
        let isDone = job.run(scene)
        let steps = cf_disarm()
        guard isDone else { throw Scene.Failure(words: "\(job.rawValue) fails without a fault") }
        return (steps, before, try scene.look())
    }

    private func trial(
        _ job: FaultJob, _ step: Int, _ kind: (name: String, number: Int32), _ before: Scene.Found?,
        _ after: Scene.Found?, _ tally: inout Tally
    ) throws {
        let scene = try freshScene(empty: job == .`init`)
        let child = cf_fork()
        guard child >= 0 else { throw Scene.Failure(words: "no process could be made") }
        if child == 0 { runForked(job, scene, step, kind.number) }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        // A thread may have made one call fewer this time.
        guard code != 3 else { return }
        tally.tried += 1
        do {
            guard code == 0 || code == 1 || code == CF_KILLED else {
                throw Scene.Failure(words: "the process ended with \(status)")
            }
            try judge(try scene.look(), job, isAcknowledged: code == 0, before, after)
            tally.survived += 1
        } catch { tally.failures.append("\(job.rawValue), \(kind.name) at step \(step): \(error)") }
    }

    /// Runs the job on a thread that the forked process began itself: Swift's mutexes remember the number of a thread,
    /// and that of the one which was forked is another process's.
    private func runForked(_ job: FaultJob, _ given: Scene, _ step: Int, _ kind: Int32) -> Never {
        // Nobody else has it.
        nonisolated(unsafe) let kept = given
        let thread = Thread {
            let scene = unsafe kept
            // Here, not before: the memory that holds keys is wiped in a forked process.
            if job == .`init`, (try? scene.prepare()) == nil { cf_leave(4) }
            cf_arm(step, kind)
            let isAcknowledged = job.run(scene)
            cf_disarm()
            cf_leave(cf_was_hit() == 0 ? 3 : isAcknowledged ? 0 : 1)
        }
        thread.stackSize = 8 << 20
        thread.start()
        while true { pause() }
    }

    private func judge(
        _ found: Scene.Found?, _ job: FaultJob, isAcknowledged: Bool, _ before: Scene.Found?, _ after: Scene.Found?
    ) throws {
        if found == after { return }
        if isAcknowledged { throw Scene.Failure(words: "acknowledged, and not there") }
        if found == before { return }
        // Each batch of an import is acknowledged by itself, and so is each thing that is done with a book.
        if job == .import || job == .book, let found, let before, let after, found.key == before.key, found.files == before.files,
            before.texts.isSubset(of: found.texts), found.texts.isSubset(of: after.texts)
        {
            return
        }
        throw Scene.Failure(words: "neither as before nor as after")
    }

    private func freshScene(empty: Bool) throws -> Scene {
        let folder = root.appending(path: "now")
        try? FileManager.default.removeItem(at: folder)
        if empty {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } else {
            try FileManager.default.copyItem(at: template, to: folder)
        }
        return Scene(folder, keyFile: root.appending(path: empty ? "key-of-init" : "key"))
    }
}
