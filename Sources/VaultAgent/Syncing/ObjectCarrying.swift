// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `ObjectCarrying` carries the objects of attachments: before the segment that names them, and after what names them
/// was taken over, then part after part. Spec: docs/format.md §25.7.
final class ObjectCarrying {
    private let store: OpenVault
    private let link: any StoreLink
    private let names: RemoteNames
    private var sent: Set<ObjectName> = []
    private var tried: Set<ObjectName> = []
    private var uncertain: Set<NoteID> = []
    private var missing: [AttachmentRecord] = []
    private var arriving: ArrivingObject?
    /// Entries came in since somebody looked what is missing.
    private var mustLook = true
    private(set) var arrivedCount = 0
    private(set) var failure: VaultError?
    /// Told of the note whose file has come: other remotes may not have it.
    var whenArrived: (NoteID) -> Void = { _ in }
    /// Larger ones are not brought unasked, in bytes.
    private static let byteCountMax: UInt64 = 1 << 30

    init(_ store: OpenVault, _ link: any StoreLink, _ names: RemoteNames) {
        (self.store, self.link, self.names) = (store, link, names)
    }

    // MARK: Sending

    /// Puts what a segment's entries name and what is here, then calls back: false when something could not be put.
    ///
    /// - Parameter isAgain: whether the segment was acknowledged before. Its objects are whole then, unless the store
    ///   has lost them, and a put that is torn would leave less: what is there is looked at first.
    func send(_ entries: [[UInt8]], isAgain: Bool, _ completion: @escaping (Bool) -> Void) {
        var named: [AttachmentRecord] = []
        do throws(VaultError) {
            for entry in entries { named += try store.devices.attachmentsFirstNamed(in: entry) }
        } catch { return completion(false) }
        // Several entries of a private note name the same ones.
        var seen = sent
        send(named.filter { seen.insert($0.object).inserted }, isAgain: isAgain, completion)
    }

    private func send(_ records: [AttachmentRecord], isAgain: Bool, _ completion: @escaping (Bool) -> Void) {
        let sending = ObjectSending(
            store, link, names, records, isAgain: isAgain, whenWhole: { [weak self] in self?.sent.insert($0) },
            completion)
        sending.goOn()
    }

    /// Looks whether the files of a note that a purge has not reached are in the remote, and puts those that are not.
    ///
    /// - Returns: whether it asked for something.
    func putAgain() -> Bool {
        guard let note = uncertain.popFirst(), let files = try? store.devices.objectsHere(of: note), !files.isEmpty
        else { return false }
        send(files, isAgain: true) { [weak self] areThere in if !areThere { self?.uncertain.insert(note) } }
        return !link.isIdle
    }

    // MARK: Bringing

    /// Records that entries came in: what they name may not be here.
    ///
    /// - Parameter outlived: notes that an edit has kept beside a purge: their files may have gone from the remote.
    func entriesCame(outlived: [NoteID] = []) {
        mustLook = true
        if !outlived.isEmpty { sent = [] }
        uncertain.formUnion(outlived)
    }

    /// Records that a file of a note has come over another remote: it is put here unless it is there.
    func cameElsewhere(_ note: NoteID) { uncertain.insert(note) }

    /// Whether files that are brought unasked have not come yet.
    func awaitsFiles() throws(VaultError) -> Bool {
        if mustLook {
            missing = try store.devices.missingObjects().filter { $0.fileByteCount <= Self.byteCountMax }
            mustLook = false
        }
        return !missing.isEmpty
    }

    /// Begins a round, in which what could not be had is asked for again.
    func beginRound() {
        tried = []
        failure = nil
        // A note that was unlocked since may wait for its files.
        if (try? store.devices.waitingAttachments(areHere: false).isEmpty) == false { mustLook = true }
    }

    /// Asks for something that is missing.
    ///
    /// - Returns: whether it did.
    func bring() throws(VaultError) -> Bool {
        if let failure { throw failure }
        if mustLook {
            missing = try store.devices.missingObjects().filter { $0.fileByteCount <= Self.byteCountMax }
            mustLook = false
        }
        guard let record = missing.first(where: { !tried.contains($0.object) }) else { return false }
        tried.insert(record.object)
        do throws(VaultError) {
            let object = try store.devices.receive(record)
            arriving = object
            get(object)
        } catch {
            // No object has the size that somebody told: that ends nothing else.
            guard error.code == .integrity else { throw error }
            return try bring()
        }
        return true
    }

    private func get(_ object: ArrivingObject) {
        guard let name = try? names.name(ofPart: object.next, of: object.record.object) else { return }
        link.get(StoreName(name)) { [weak self] answer in self?.take(answer, object) }
    }

    private func take(_ answer: RemoteLink.Answer, _ object: ArrivingObject) {
        // What is not there yet is asked for in another round.
        guard case .bytes(let bytes) = answer else { return }
        do throws(VaultError) {
            guard try object.take(bytes) else { return }
            guard object.isWhole else { return get(object) }
            try object.finish()
            missing.removeAll { $0.object == object.record.object }
            arrivedCount += 1
            whenArrived(object.record.noteID)
        } catch { failure = error }
    }
}
