// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `Claims` holds what devices have said over other remotes of what they have stored in this one, until this one shows
/// it. A remote that keeps its devices apart is found so by another one that does not.
///
/// Only what a store has acknowledged is claimed, and a slow one gets its time, so an honest one raises no alarm.
/// Spec: docs/format.md §25.5.
final class Claims {
    private struct Claim {
        var chain: Identifier
        var mark: Mark
        let since: Double
        /// The first look that was begun after it.
        let firstLook: Int
    }

    /// Who says so: over which remote, and under which name there.
    struct Speaker: Hashable {
        let remote: String
        let device: Identifier
    }

    /// How long a store may show something late, in seconds, and how many whole looks it gets meanwhile.
    private static let (secondsMax, lookCountMin): (Double, Int) = (60, 2)

    private var claims: [Speaker: Claim] = [:]
    /// What was said and is not shown, or is another thing here.
    private(set) var withheld: [Speaker: Identifier] = [:]

    /// Takes the newest word of a device; it takes the place of the one before, and is as old as that where it speaks
    /// of the same chain: a device that always says more must not keep others from finding out.
    ///
    /// - Parameter look: how many looks of this remote were begun.
    func claim(_ chain: Identifier, _ mark: Mark, by speaker: Speaker, look: Int, now: Double) {
        let old = claims[speaker].flatMap { $0.chain == chain ? $0 : nil }
        claims[speaker] = Claim(
            chain: chain, mark: mark, since: old?.since ?? now, firstLook: old?.firstLook ?? look + 1)
        if withheld[speaker] != chain { withheld[speaker] = nil }
    }

    /// Looks at a segment of this remote.
    func look(at device: Identifier, _ number: UInt64, _ state: SyncState?) {
        guard let seen = state?.chains[device]?.seen, seen.number == number else { return }
        for (speaker, claim) in claims where claim.chain == device && claim.mark.number == number {
            settle(speaker, isMet: claim.mark.digest == seen.digest)
        }
    }

    /// Looks at all of them when this remote was read to its end.
    ///
    /// - Parameters:
    ///   - look: the number of the look that has ended.
    ///   - showsLate: an honest remote may show something hours later, as a folder that a program carries: only another
    ///     segment says something.
    ///   - isGone: whether nobody has to believe a speaker any more.
    /// - Returns: whether something was found out.
    func settle(
        _ state: SyncState, look: Int, showsLate: Bool, now: Double, isGone: (Speaker) -> Bool = { _ in false }
    ) -> Bool {
        let before = withheld
        for (speaker, claim) in claims {
            let isOver = state.retired.contains(claim.chain) || state.forked.contains(claim.chain) || isGone(speaker)
            guard !isOver else {
                settle(speaker, isMet: true)
                continue
            }
            let seen = state.chains[claim.chain]?.seen ?? .none
            guard seen.number < claim.mark.number else {
                // One that was passed before the claim came cannot be compared any more.
                settle(speaker, isMet: seen.number > claim.mark.number || seen.digest == claim.mark.digest)
                continue
            }
            let lookCount = look - claim.firstLook + 1
            if !showsLate, lookCount >= Self.lookCountMin, now - claim.since >= Self.secondsMax {
                withheld[speaker] = claim.chain
            }
        }
        return withheld != before
    }

    private func settle(_ speaker: Speaker, isMet: Bool) {
        guard isMet else { return withheld[speaker] = claims[speaker]?.chain }
        claims[speaker] = nil
        withheld[speaker] = nil
    }
}

/// This extension says over each remote how far this device has spoken over the others, and tells over each what came
/// over the others.
extension SyncHost {
    /// What this device has stored in other remotes, as far as their stores have said so.
    func elsewhere() -> [ElsewhereMark] {
        // In the epoch that is to end nothing is said of the next one.
        guard engine.state.epoch == epoch else { return [] }
        var places: Set<[UInt8]> = []
        return siblings().compactMap { other in
            let state = other.engine.state
            guard other.epoch == epoch, state.epoch == epoch, state.own.number > 0, !other.isBlocked,
                let device = try? VaultFormat.DeviceID(state.device.bytes), let place = other.placeDigest,
                places.insert(place).inserted
            else { return nil }
            return ElsewhereMark(
                place: place, device: device, number: state.own.number, digest: state.own.digest.bytes)
        }.sorted { $0.place.lexicographicallyPrecedes($1.place) }
    }

    func noteSaid(_ marks: [ElsewhereMark]) {
        let numbers = marks.map { (Identifier(bytes: $0.device.bytes), $0.number) }
        said = (Dictionary(numbers, uniquingKeysWith: max), BootClock.seconds)
    }

    /// Whether what was stored in another remote was not said here for long: then that is said alone. What only says so
    /// has no entries, and is said nowhere else.
    var hasLongUnsaid: Bool {
        guard engine.state.own.number > 0, BootClock.seconds - said.at > Self.secondsUnsaid else { return false }
        return siblings().contains { other in
            other.lastWithEntries > said.numbers[other.engine.state.device] ?? 0 && other.engine.state.epoch == epoch
        }
    }

    private static let secondsUnsaid = 600.0

    /// Hands on what a device says of other remotes.
    func hear(_ opened: OpenedRemoteSegment) {
        heard[Place(opened.place)] = opened.content.made
        guard opened.place.epoch == epoch else { return }
        let speaker = Claims.Speaker(remote: name, device: Identifier(bytes: opened.place.device.bytes))
        for mark in opened.content.elsewhere {
            let (chain, digest) = (Identifier(bytes: mark.device.bytes), Digest(bytes: mark.digest))
            guard let digest else { continue }
            for other in siblings() where other.engine.state.epoch == epoch && other.engine.state.device != chain {
                let isKnown = other.engine.state.chains[chain] != nil
                guard isKnown || other.isOnePlace && other.placeDigest == mark.place else { continue }
                // Its card may be there and not have been looked for.
                if !isKnown { other.mustList() }
                other.claims.claim(
                    chain, Mark(number: mark.number, digest: digest), by: speaker, look: other.lookNumber,
                    now: BootClock.seconds)
            }
        }
    }

    /// By which two devices know that they mean one place: its kind and its address, or its path.
    var placeDigest: [UInt8]? {
        let (kind, place) = settings.words
        return (try? VaultCrypto.Digest.sha256(Array("vault/v1 remote place\0\(kind)\0\(place)".utf8))).map {
            Array($0.prefix(ElsewhereMark.placeByteCount))
        }
    }

    /// Whether its address means one place for everybody: not a path, not a server of this machine, and not what one
    /// account has of a service.
    private var isOnePlace: Bool {
        switch settings.place {
        case .folder, .dropbox, .rclone: false
        case .webDAV(let address): !address.isThisMachine
        case .s3(let bucket): !bucket.endpoint.isThisMachine
        }
    }

    /// Finds out what this remote withholds, after it was read to its end.
    func settleClaims() {
        let showsLate = if case .folder = settings.place { true } else { false }
        let speakers = Dictionary(siblings().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let isNews = claims.settle(engine.state, look: lookNumber, showsLate: showsLate, now: BootClock.seconds) {
            speaker in
            guard let host = speakers[speaker.remote] else { return true }
            return host.engine.state.retired.contains(speaker.device)
                || host.engine.state.forked.contains(speaker.device)
        }
        if isNews { for alarm in withheld { log.raised(alarm) } }
    }

    /// Tells what other devices have made and nobody has said over this remote, once they have had time to: they say it
    /// themselves where they reach it.
    ///
    /// - Returns: whether there was anything.
    func tellOthers() throws(VaultError) -> Bool {
        guard !isBehind, try store.remotes.areSeveral() else { return false }
        let now = BootClock.seconds
        guard let others = othersKnown else {
            othersKnown = (try store.remotes.known(), now)
            return false
        }
        guard now - others.since >= Self.secondsForOthers else { return false }
        // An entry goes with its files: those that are on their way here are waited for, but not for ever.
        if try objects.awaitsFiles(), now - others.since < Self.secondsForFiles { return false }
        let (position, hasTold) = try store.remotes.tellOthers(over: name, upTo: others.entries)
        othersKnown = (try store.remotes.known(), now)
        guard hasTold, position > told else { return false }
        try tell(after: told)
        return true
    }

    /// Seconds within which a device says over all of its remotes what it has said over one.
    private static let secondsForOthers = 60.0
    private static let secondsForFiles = 600.0
}
