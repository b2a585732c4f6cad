// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine
import SyncSimulation

/// `YearReport` runs simulated years and prints what they took: a line of JSON, then a table.
enum YearReport {
    /// Runs what the words after `year` say: `person`, `heavy`, `short`, `large`, or the first two without a word; then
    /// a seed. `pack` makes spans of spans too, and `append` has a remote of which nothing is removed.
    ///
    /// - Returns: whether all devices had the same at the end.
    static func run(_ words: [String]) -> Bool {
        precondition(
            YearSizes.sealed(433) == 4168 && YearSizes.sealed(36 << 20) == 38_835_272,
            "sizes are those of docs/format.md §25.5 and §25.10")
        let seed = words.lazy.compactMap { UInt64($0) }.first ?? 1
        let named = [YearProfile.person, .heavy, .short, .large].filter { words.contains($0.name) }
        var isRight = true
        for var profile in named.isEmpty ? [.person, .heavy] : named {
            profile.packsSpans = words.contains("pack")
            profile.isAppendOnly = words.contains("append")
            let clock = ContinuousClock()
            let begun = clock.now
            var year = Year(profile, seed: seed)
            year.run()
            isRight = report(year, seconds: Int((clock.now - begun).components.seconds)) && isRight
        }
        return isRight
    }

    private static func report(_ year: Year, seconds: Int) -> Bool {
        let rows = rows(year, seconds: seconds)
        let pairs = rows.map { "\"\($0.key)\": \($0.text)" }
        print("{\"profile\": \"\(year.profile.name)\", \(pairs.joined(separator: ", "))}")
        print("")
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows {
            print(row.name + String(repeating: " ", count: width + 2 - row.name.count) + row.text)
        }
        for failure in year.outcome.failures { print("FAILURE: \(failure)") }
        print("")
        return year.outcome.failures.isEmpty
    }

    private struct Row {
        let key: String
        let name: String
        let text: String

        init(_ key: String, _ name: String, _ number: Int) {
            (self.key, self.name, text) = (key, name, String(number))
        }
    }

    private static func rows(_ year: Year, seconds: Int) -> [Row] {
        let (outcome, world) = (year.outcome, year.world)
        var segments = (count: 0, bytes: 0)
        var (single, held): (Set<Place>, Set<Place>) = ([], [])
        var spans = Array(repeating: (count: 0, bytes: 0, held: 0), count: 3)
        for (place, object) in world.store.objects {
            switch place.kind {
            case .card: break
            case .segment:
                segments = (segments.count + 1, segments.bytes + object.byteCount)
                single.insert(place)
            case .span(let level):
                spans[level - 1].count += 1
                spans[level - 1].bytes += object.byteCount
                guard case .span(let segments) = object.content else { continue }
                spans[level - 1].held += segments.count
                held.formUnion(segments.map(\.opened.segment.place))
            }
        }
        var rows = [
            Row("seed", "seed", Int(clamping: year.seed)), Row("seconds", "seconds of this run", seconds),
            Row("days", "days", year.profile.days), Row("devices", "devices", year.profile.devices),
            Row("edits", "edits", outcome.editCount),
            Row("joins", "joins, of all devices", year.devices.reduce(0) { $0 + $1.joinCount }),
            Row("segments_made", "segments sealed", world.segmentCount),
            Row("segments_of_words", "of these only to say what was read", world.wordsCount),
        ]
        rows += [
            Row("sessions_day", "a day: sessions", world.sessionCount / year.profile.days),
            Row("looks_day", "a day: rounds that read", world.lookCount / year.profile.days),
            Row("sends_day", "a day: rounds that only send", world.sendCount / year.profile.days),
            Row("puts_without_bytes", "asked to be sent again, and given up before", world.putsWithoutBytes),
        ]
        for level in 1...3 {
            rows.append(Row("spans_made_\(level)", "spans made, level \(level)", world.spanCounts[level - 1]))
        }
        rows += requests("year", "in the whole time", outcome.counts)
        let days = year.profile.days
        rows += [
            Row("get_found_day", "a day: GET found", outcome.counts.found / days),
            Row("get_absent_day", "a day: GET absent", outcome.counts.absent / days),
            Row("put_day", "a day: PUT", outcome.counts.puts / days),
            Row("list_day", "a day: LIST", outcome.counts.lists / days),
            Row("delete_day", "a day: DELETE", outcome.counts.deletes / days),
            Row("segments_rest", "at rest: segments", segments.count),
            Row("segments_rest_twice", "at rest: segments that a span has too", single.intersection(held).count),
            Row("segment_bytes_rest", "at rest: bytes of segments", segments.bytes),
        ]
        for level in 1...3 {
            let span = spans[level - 1]
            rows += [
                Row("spans_rest_\(level)", "at rest: spans of level \(level)", span.count),
                Row("span_bytes_rest_\(level)", "at rest: bytes of them", span.bytes),
                Row("spans_held_\(level)", "at rest: segments in them", span.held),
            ]
        }
        rows += [
            Row("parts_rest", "at rest: parts of files", world.store.parts.count),
            Row("part_bytes_rest", "at rest: bytes of them", world.store.parts.reduce(0, +)),
            Row("objects_most", "objects, the most at the end of a day", outcome.objectsMost),
            Row("absence_days", "longest absence, in days", year.profile.holiday.count),
            Row("absence_segments", "segments that it has missed", Int(clamping: outcome.absenceSegments)),
        ]
        rows += requests("absence", "after the absence", outcome.absence)
        rows += requests("clone", "of a clone at the end", outcome.clone)
        rows += [Row("is_converged", "all devices have the same (1)", outcome.failures.isEmpty ? 1 : 0)]
        return rows
    }

    private static func requests(_ key: String, _ when: String, _ counts: YearCounts) -> [Row] {
        var rows = [
            Row("get_found_\(key)", "GET found, \(when)", counts.found),
            Row("get_absent_\(key)", "GET absent, \(when)", counts.absent),
            Row("put_\(key)", "PUT, \(when)", counts.puts), Row("list_\(key)", "LIST, \(when)", counts.lists),
            Row("delete_\(key)", "DELETE, \(when)", counts.deletes), Row("up_\(key)", "bytes up, \(when)", counts.up),
            Row("down_\(key)", "bytes down, \(when)", counts.down),
            Row("get_parts_\(key)", "of the GET found files, \(when)", counts.parts),
            Row("down_parts_\(key)", "of the bytes down files, \(when)", counts.partsDown),
        ]
        if counts.rounds > 0 {
            rows += [
                Row("trips_\(key)", "requests one after the other, \(when)", counts.trips),
                Row("rounds_\(key)", "rounds, \(when)", counts.rounds),
                Row("waited_\(key)", "seconds from the first round to the last, \(when)", counts.seconds),
            ]
        }
        return rows
    }
}
