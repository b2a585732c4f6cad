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
        let chain: Identifier
        let mark: Mark
        let since: Double
        var lookCount = 0
    }

    /// Who says so: over which remote, and under which name there.
    struct Speaker: Hashable {
        let remote: String
        let device: Identifier
    }

    /// How long a store may show something late, in seconds, and how often it is looked at meanwhile.
    private static let (secondsMax, lookCountMin): (Double, Int) = (30, 2)

    private var claims: [Speaker: Claim] = [:]
    /// What was said and is not shown, or is another thing here.
    private(set) var withheld: [Speaker: Identifier] = [:]

    /// Takes the newest word of a device; it takes the place of the one before.
    func claim(_ chain: Identifier, _ mark: Mark, by speaker: Speaker, now: Double) {
        claims[speaker] = Claim(chain: chain, mark: mark, since: now)
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
    /// - Returns: whether something was found out.
    func settle(_ state: SyncState, now: Double) -> Bool {
        let before = withheld
        for (speaker, var claim) in claims {
            guard !state.retired.contains(claim.chain), !state.forked.contains(claim.chain) else {
                settle(speaker, isMet: true)
                continue
            }
            let seen = state.chains[claim.chain]?.seen ?? .none
            guard seen.number < claim.mark.number else {
                // What lies before the last one was compared when it came by.
                settle(speaker, isMet: seen.number > claim.mark.number || seen.digest == claim.mark.digest)
                continue
            }
            claim.lookCount += 1
            claims[speaker] = claim
            if claim.lookCount >= Self.lookCountMin, now - claim.since >= Self.secondsMax {
                withheld[speaker] = claim.chain
            }
        }
        return withheld != before
    }

    /// Seconds until a look may find something out; nil where nothing is claimed that is not shown.
    func secondsLeft(now: Double) -> Double? {
        claims.filter { withheld[$0.key] == nil }.values.map { max(0, $0.since + Self.secondsMax - now) }.min()
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
        siblings().compactMap { other in
            let state = other.engine.state
            guard other.epoch == epoch, state.epoch == epoch, state.own.number > 0, !other.isBlocked,
                let device = try? VaultFormat.DeviceID(state.device.bytes), let place = other.placeDigest
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
                guard other.engine.state.chains[chain] != nil || other.placeDigest == mark.place else { continue }
                other.claims.claim(
                    chain, Mark(number: mark.number, digest: digest), by: speaker, now: BootClock.seconds)
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
        let (position, hasTold) = try store.remotes.tellOthers(over: name, upTo: others.entries)
        othersKnown = (try store.remotes.known(), now)
        guard hasTold, position > told else { return false }
        try tell(after: told)
        return true
    }

    /// Seconds within which a device says over all of its remotes what it has said over one.
    private static let secondsForOthers = 60.0
}
