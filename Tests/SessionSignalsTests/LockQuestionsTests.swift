// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import SessionSignals

struct LockQuestionsTests {
    @Test func aQuestionIsClosedOnce() {
        var questions = LockQuestions()
        questions.add(7, about: "/s/1", now: 5)
        #expect(questions.isAsked(about: "/s/1"))
        #expect(!questions.isAsked(about: "/s/2"))
        let first = questions.close(7)
        let again = questions.close(7)
        #expect(first && !again)
        #expect(questions.isEmpty)
    }

    @Test func theOldestQuestionIsOverdueFirst() {
        var questions = LockQuestions()
        #expect(questions.earliestDeadline == nil)
        questions.add(1, about: "/s/1", now: 100)
        questions.add(2, about: "/s/2", now: 50)
        #expect(questions.earliestDeadline == 50 + LockQuestions.patience)
        #expect(!questions.isOverdue(now: 49 + LockQuestions.patience))
        #expect(questions.isOverdue(now: 50 + LockQuestions.patience))
        questions.closeAll()
        #expect(!questions.isOverdue(now: .max))
    }

    @Test func thereIsRoomForAFewOnly() {
        var questions = LockQuestions()
        for cookie in 1...UInt64(LockQuestions.countMax) {
            #expect(!questions.isFull)
            questions.add(cookie, about: "/s/\(cookie)", now: 0)
        }
        #expect(questions.isFull)
    }
}
