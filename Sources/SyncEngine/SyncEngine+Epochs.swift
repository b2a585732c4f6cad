// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// An epoch ends with a segment that names what of it counts, and the header of the next one.
extension SyncEngine {
    /// Returns whether of a chain nothing is of interest but whether it ends its epoch.
    func isScanned(_ chain: SyncState.Chain) -> Bool { chain.epoch < state.epoch || state.isEnded }

    /// Takes an ending of an epoch. Anybody who had the keys of the epoch can have written it: it is the owner's word
    /// when its key was given.
    ///
    /// - Returns: whether the owner is to be asked; the state is not recorded yet.
    mutating func learn(_ ending: Ending?) -> Bool {
        guard let ending, counts(ending), state.endings[ending.header] == nil else { return false }
        if !rules.contains(.smallerEnding), state.isEnded || ending.epoch < state.epoch { return false }
        state.endings[ending.header] = ending
        return true
    }

    /// Returns whether an ending counts: of two endings of one epoch the one with the smaller header does.
    private func counts(_ ending: Ending) -> Bool {
        if ending.epoch == state.epoch { return true }
        guard ending.epoch + 1 == state.epoch, let header = state.header else { return false }
        return ending.header < header
    }

    /// Enters the next epoch, whose key is known. Every device takes a new identity, so that no chain has two epochs.
    /// The chains of the ended epoch are kept to see who has not come over, and who has ended it otherwise.
    mutating func enterNextEpoch(_ header: Digest) {
        guard let ending = state.endings[header], counts(ending) else { return }
        let isRotator = state.ownEnding == header
        let retelling: SyncState.Retelling = isRotator ? .everything : .beyond(ending.cut)
        if ending.epoch == state.epoch {
            // Who is over in this epoch is nobody's concern in the one after the next.
            state.retired.formIntersection(state.chains.keys)
            state.chains = state.chains.filter { $0.value.epoch == ending.epoch }
            for (device, chain) in state.chains where !isActive(device, chain) { state.chains[device]?.isLate = true }
        } else {
            state.chains = state.chains.filter { $0.value.epoch == ending.epoch }
        }
        let ownEnding = state.ownEnding
        beginChain()
        state.ownEnding = ownEnding
        state.epoch = ending.epoch + 1
        state.header = header
        state.endings = state.endings.filter { $0.value.epoch == ending.epoch && $0.key < header }
        state.forked = []
        state.suspicions = [:]
        state.isWhole = isRotator
        state.owesWholeState = isRotator
        ahead = [:]
        notThere = []
        notThereAhead = []
        applied = [:]
        suspected = [:]
        known = [:]
        spansAsked = []
        lateAsked = []
        isEnding = nil
        state.retellings = isRotator || rules.contains(.retellBeyondCut) ? [retelling] : []
        record()
        for retelling in state.retellings { effects.append(.retell(retelling)) }
        if isStarted {
            effects.append(.list(state.epoch))
            effects.append(.put(place(.card)))
        }
    }

    /// Says all that is true in this epoch, as far as it is known here, where the device that has ended the last epoch
    /// is lost.
    mutating func speakFirst() {
        guard !state.isWhole else { return }
        state.isWhole = true
        state.owesWholeState = true
        state.retellings = [.everything]
        record()
        effects.append(.retell(.everything))
    }
}
