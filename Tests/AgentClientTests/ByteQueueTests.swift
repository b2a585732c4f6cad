// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import AgentClient

struct ByteQueueTests {
    @Test func bytesComeOutInTheOrderTheyWentIn() {
        var queue = ByteQueue()
        var expected: [UInt8] = []
        var taken: [UInt8] = []
        for round in 0..<200 {
            let more = (0..<(round % 13)).map { UInt8(truncatingIfNeeded: $0 &+ round) }
            queue.append(more)
            expected += more
            let count = min(queue.count, round % 7)
            taken += queue.first(count) ?? []
            queue.drop(count)
        }
        taken += queue.first(queue.count) ?? []
        #expect(taken == expected)
    }

    @Test func moreThanIsThereIsNil() {
        var queue = ByteQueue()
        queue.append([1, 2, 3])
        #expect(queue.first(4) == nil)
        #expect(queue.first(2, after: 2) == nil)
        #expect(queue.first(2, after: 1) == [2, 3])
        #expect(queue.first(1, after: 9) == nil)
        queue.drop(3)
        #expect(queue.isEmpty)
    }
}
