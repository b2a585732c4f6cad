// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCore
import VaultTesting

/// Every state has a way out.
struct NoteStateMachineTests {
    private typealias Machine = NoteStateMachine

    @Test func noStateButTheFinalOnesIsADeadEnd() {
        for state in Machine.State.allCases where !state.isFinal {
            #expect(Machine.transitions[state]?.isEmpty == false, "\(state)")
        }
        // From everywhere a text can come to rest on this machine and on every server, or be thrown away.
        for state in Machine.State.allCases {
            let reached = reachable(from: state)
            #expect(
                reached.isSuperset(of: [.persisted, .uploaded, .discarded]) || state == .uploaded
                    || state == .discarded, "\(state)")
        }
    }

    @Test func everyStateCanBeReachedFromANewNote() { #expect(reachable(from: .new) == Set(Machine.State.allCases)) }

    @Test func aTextThatWasInterruptedIsUnsavedAgainAfterTheNextStart() {
        for state in [Machine.State.new, .unsaved, .saving] {
            var machine = Machine(state)
            #expect(machine.handle(.interrupt) && machine.state == .recovered)
            #expect(machine.handle(.resume) && machine.state == .unsaved)
        }
    }

    @Test func aFailedSaveStaysUnsavedAndAFailedUploadStaysPersisted() {
        var machine = Machine(.saving)
        #expect(machine.handle(.saveFailed) && machine.state == .unsaved)
        machine = Machine(.uploading)
        #expect(machine.handle(.uploadFailed) && machine.state == .persisted)
    }

    @Test func anyEditLeavesEverySavedStateForUnsaved() {
        for state in [Machine.State.persisted, .uploading, .uploaded] {
            var machine = Machine(state)
            #expect(machine.handle(.edit) && machine.state == .unsaved)
        }
    }

    @Test func anEventThatCannotHappenChangesNothing() {
        for state in Machine.State.allCases {
            for event in Machine.Event.allCases where Machine.transitions[state]?[event] == nil {
                var machine = Machine(state)
                #expect(!machine.handle(event) && machine.state == state)
            }
        }
    }

    /// Any sequence of events, however odd, ends in a state with a way to rest.
    @Test(arguments: [UInt64(1), 2, 3]) func randomEventsNeverTrapAText(seed: UInt64) {
        var random = SeededGenerator(seed)
        var machine = Machine()
        for _ in 0..<5000 {
            machine.handle(Machine.Event.allCases.randomElement(using: &random)!)
            #expect(!reachable(from: machine.state).isDisjoint(with: [.persisted, .uploaded, .discarded]))
        }
    }

    private func reachable(from start: Machine.State) -> Set<Machine.State> {
        var seen: Set<Machine.State> = []
        var next = [start]
        while let state = next.popLast() {
            if seen.insert(state).inserted { next += Machine.transitions[state].map { Array($0.values) } ?? [] }
        }
        return seen
    }
}
