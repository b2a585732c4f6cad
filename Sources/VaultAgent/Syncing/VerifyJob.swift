// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `VerifyJob` serves `vault sync verify` and `vault sync repair`: reads back what this device has sent, object after
/// object, compares it with what was sent, and sends again what is not there. Nothing is removed.
final class VerifyJob: Job {
    /// `Wanted` is an object that the remote should have.
    fileprivate enum Wanted {
        case header(HeaderSending.Object)
        /// One whose bytes are in the outbox until all have read it, or are not there any more.
        case own(Place, RemoteName, isKept: Bool)
        case part(AttachmentRecord, UInt32, RemoteName)
    }

    private let store: OpenVault
    private let session: Session
    private let link: any StoreLink
    private let sealer: SegmentSealer
    private let repairs: Bool
    private var wanted: [Wanted] = []
    private var asked = 0
    private var answered = 0
    private var shown = -1
    private var reply = VerifiedRemote()
    private var failure: StoreFailure?
    /// Objects that are asked for at once; a part of an attachment may have 16 MiB.
    private static let openCountMax = 4

    /// Lists what this device has sent, which the job then reads back.
    ///
    /// - Throws: `VaultError.integrity`.
    init(_ host: SyncHost, _ row: StoredRemote, repairs: Bool, _ work: RequestContext) throws(VaultError) {
        (store, session, self.repairs) = (work.store, work.session, repairs)
        sealer = try work.store.segmentSealer()
        reply.remote = RemoteRow(row)
        let (store, name) = (work.store, row.name)
        link = host.surroundings.link(host.settings, repairs) { try? store.remotes.credential(of: name) }
        wanted = [.header(try HeaderSending.Object(work.store.header))]
        for place in host.engine.ownPlaces {
            guard let name = Self.name(of: place, sealer) else { throw VaultError(.integrity) }
            let isKept = try store.outbox.digest(of: name) != nil
            // A span whose bytes were given up has a larger one in its place.
            if case .span = place.kind, !isKept { continue }
            wanted.append(.own(place, name, isKept: isKept))
        }
        for record in try store.devices.objectsHere() {
            guard let parts = PartList(fileByteCount: record.fileByteCount) else { throw VaultError(.integrity) }
            for part in 0..<parts.count {
                wanted.append(.part(record, part, try Self.name(part, record, sealer)))
            }
        }
        session.syncing.watch(link)
    }

    deinit {
        link.end()
        session.syncing.unwatch(link)
    }

    private static func name(of place: Place, _ sealer: SegmentSealer) -> RemoteName? {
        (try? RemotePlace(place)).flatMap { try? sealer.names.name(of: $0) }
    }

    private static func name(
        _ part: UInt32, _ record: AttachmentRecord, _ sealer: SegmentSealer
    ) throws(VaultError) -> RemoteName {
        do { return try sealer.names.name(ofPart: part, of: record.object) } catch { throw VaultError(.libraryFailed) }
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        while failure == nil, asked < wanted.count, asked - answered < Self.openCountMax {
            let next = wanted[asked]
            asked += 1
            ask(next)
        }
        link.step()
        if answered != shown {
            shown = answered
            let total = UInt64(wanted.count)
            connection.send(.progress, Progress(label: "reading back", done: UInt64(answered), total: total).encoded)
        }
        guard answered == asked, failure != nil || asked == wanted.count else { return nil }
        if let failure { return failure.outcome(of: reply.remote.name) }
        reply.objectCount = answered
        connection.reply(reply)
        return ending
    }

    private var ending: Outcome {
        let left = reply.faults.count { !$0.isMended }
        guard left > 0 else { return Outcome(.ok) }
        let count = left == 1 ? "1 object is" : "\(left) objects are"
        return Outcome(
            .integrity, "\(count) missing or altered on the remote '\(reply.remote.name)'",
            hint: repairs
                ? "vault remote test \(reply.remote.name)" : "vault sync repair \(reply.remote.name) sends them again")
    }

    // MARK: One object

    private func storeName(_ one: Wanted) -> StoreName {
        switch one {
        case .header(let header): StoreName(header.name)
        case .own(_, let name, _), .part(_, _, let name): StoreName(name)
        }
    }

    private func ask(_ one: Wanted) {
        let name = storeName(one)
        link.get(name) { [unowned self] answer in
            switch answer {
            case .bytes(let bytes):
                reply.byteCount += UInt64(bytes.count)
                if isRight(bytes, one) { answered += 1 } else { found(one, name, isAltered: true) }
            case .failed(let reason) where reason.code == .absent: found(one, name, isAltered: false)
            case .failed(let reason): fail(reason)
            case .done: fail(StoreFailure(.malformed))
            }
        }
    }

    private func fail(_ reason: StoreFailure) {
        failure = failure ?? reason
        answered += 1
    }

    /// Returns the bytes that were sent, where they are still here.
    private func sent(_ one: Wanted) -> [UInt8]? {
        switch one {
        case .header(let header): header.bytes
        case .own(_, let name, _): try? store.outbox.bytes(of: name)
        case .part(let record, let part, _): try? store.devices.part(part, of: record)
        }
    }

    /// Returns whether bytes are the ones that were sent. Of what is no longer here they are if they open in their
    /// place.
    private func isRight(_ bytes: [UInt8], _ one: Wanted) -> Bool {
        if let sent = sent(one) { return bytes == sent }
        guard case .own(let place, let name, _) = one, let remote = try? RemotePlace(place) else { return false }
        switch place.kind {
        case .segment: return (try? sealer.openSegment(bytes, at: remote)) != nil
        case .span: return (try? sealer.openSpan(bytes, at: remote)) != nil
        case .card: return (try? sealer.openCard(bytes, named: name)) != nil
        }
    }

    private func found(_ one: Wanted, _ name: StoreName, isAltered: Bool) {
        // A password was changed since this began: what that one took the place of is not missed.
        if case .header(let header) = one, (try? HeaderSending.Object(store.header).name) != header.name {
            return answered += 1
        }
        // All have read it since this began, and this device has removed it: nothing is lost.
        if case .own(_, let own, isKept: true) = one, (try? store.outbox.digest(of: own)) == .some(nil) {
            return answered += 1
        }
        var fault = RemoteFault(one, name)
        fault.isAltered = isAltered
        guard repairs, let bytes = sent(one) else { return add(fault) }
        link.put(name, bytes) { [unowned self] answer in
            guard case .done = answer else { return add(fault) }
            // A store's word is not enough here.
            link.get(name) { [unowned self] answer in
                if case .bytes(let back) = answer { fault.isMended = back == bytes }
                add(fault)
            }
        }
    }

    private func add(_ fault: RemoteFault) {
        reply.faults.append(fault)
        answered += 1
    }
}

extension RemoteFault {
    fileprivate init(_ one: VerifyJob.Wanted, _ name: StoreName) {
        self.init()
        self.name = (name.folder.parts + [name.text]).joined(separator: "/")
        switch one {
        case .header: kind = .header
        case .own(let place, _, _):
            number = place.number
            kind =
                switch place.kind {
                case .card: .card
                case .segment: .segment
                case .span: .span
                }
        case .part(_, let part, _): (kind, number) = (.part, UInt64(part))
        }
    }
}
