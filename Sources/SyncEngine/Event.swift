// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Event` is an input of the engine.
public enum Event: Sendable {
    /// A session begins: after an unlock, a start, a crash.
    case started
    /// As `started`, of an identity that was made in this very session: nothing can have been said under it.
    case born
    /// As `started`, of a vault that was restored, copied or set back with the owner's word.
    case restored
    /// Time has passed: read what is new.
    ///
    /// - Parameter live: how many notes there are, for the guard against mass changes.
    case poll(live: Int)
    /// Seal and send what there is to say: told after all that was committed before.
    ///
    /// - Parameter heartbeat: also when that is only how far this device has read.
    case flush(heartbeat: Bool)
    /// Entries of this device, durable in the vault, in the order of their local sequence numbers.
    case local([Entry], through: UInt64)
    /// Entries to be said again now have local sequence numbers after `through`, the last one before, in an order in
    /// which nothing precedes what it was made from; `local` will tell them. Entries that were waiting to be sent are
    /// among them, except for `chain`.
    case retold(SyncState.Retelling, through: UInt64)
    /// The segment was sealed; its bytes are durable in the outbox.
    case sealed(Segment, Digest)
    /// A store's answer to a put.
    case stored(Place, Bool)
    /// A store's answer to a get, opened.
    case got(Place, Answer)
    /// Devices of an epoch whose cards were named by the store and opened. Not told when other keys of that epoch were
    /// given since it was asked: with two ends of an epoch there are two next ones.
    case listed(UInt32, [DeviceID])
    /// The owner says that the others need not wait for a device any longer.
    case retire(DeviceID)
    /// The owner allows a held pull of this chain.
    case allow(DeviceID)
    /// The owner has rotated the keys here: this epoch is to end, and the next one has the header of this digest. Said
    /// again in each session until the epoch has ended.
    case rotate(Digest)
    /// The keys that the header of this digest wraps are known here, and the owner's password opens its keyslot.
    case keyGiven(Digest)
    /// The owner says that the device which has begun this epoch will not say what was true then: this device says all
    /// it has.
    case speakFirst
    /// Send all own segments again.
    case repair
}

/// `Answer` is what a store answered to a get, after it was opened outside of the engine.
public enum Answer: Sendable {
    /// A segment of just this place.
    case segment(OpenedSegment)
    /// A span of just this place: the segments that it holds, ascending.
    case span([OpenedSegment])
    /// The store says 404, which may be a lie.
    case absent
    /// It does not open: torn, foreign, or altered.
    case unreadable
    /// No answer.
    case failed
}

/// `Effect` is what the engine asks for, to be done in this order. After a kill the rest is not done.
public enum Effect: Sendable {
    /// Write the state down, durably.
    case record(SyncState)
    /// Write entries of a segment and the state down in one transaction.
    case commit(DeviceID, UInt64, [Entry], SyncState?)
    /// Seal once, keep the bytes durably, answer `sealed`.
    case seal(Segment)
    /// Put own segments together, sealed once, under the span's place. The largest may be left out.
    case bundle(Place, ClosedRange<UInt64>)
    /// Send the bytes that were kept for the place.
    case put(Place)
    /// Ask for the object at the place.
    case get(Place)
    /// Ask for the cards of an epoch.
    case list(UInt32)
    /// Remove an own object.
    case delete(Place)
    /// Tell own entries after this local sequence number.
    case tell(after: UInt64)
    /// Give these entries new local sequence numbers, durably; answer `retold`.
    case retell(SyncState.Retelling)
    /// Ask the owner for what opens the header of this digest; answer `keyGiven`.
    case needKey(Digest)
    /// Tell the owner.
    case alarm(Alarm)
}

/// `Alarm` is what the owner must know.
public enum Alarm: Hashable, Sendable {
    /// A device's chain says two things: the remote shows different things, or the device was set back.
    case forked(DeviceID)
    /// This device was set back; it continues under a new identity.
    case setBack
    /// Others have read a segment that the remote does not show here.
    case hidden(DeviceID)
    /// The remote has lost what it once had.
    case lost(UInt64)
    /// The object at a place has not opened for a long time.
    case unreadable(Place)
    /// A pull that would remove this many notes is held.
    case massChange(DeviceID, count: Int)
}
