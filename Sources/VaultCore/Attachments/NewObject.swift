// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
public import SealedObjects
internal import Synchronization
internal import VaultCrypto
public import VaultFormat

/// `UnfinishedObjects` names files that are being written: no row names them yet, and `check` must leave them alone.
final class UnfinishedObjects: Sendable {
    private let names = Mutex<Set<ObjectName>>([])

    func insert(_ name: ObjectName) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: ObjectName) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: ObjectName) -> Bool { names.withLock { $0.contains(name) } }
    var isEmpty: Bool { names.withLock(\.isEmpty) }
}

/// A `NewObject` is the file of an attachment that is being written. Until the index names it, it is removed with this
/// value; a crash leaves a file that `check` finds and puts in quarantine.
public final class NewObject: @unchecked Sendable {
    public let id: AttachmentID
    public let note: NoteID
    /// To be written from offset 0 on.
    public private(set) var descriptor: Int32
    /// The outer one first.
    public let layers: [SealLayer]
    let object: ObjectName
    /// Of the vault's key that it is under.
    let epoch: UInt32
    /// Of a private note; it must still be this one when the file is done.
    let noteKeys: NoteKeys?
    private let folder: ObjectFolder
    private let unfinished: UnfinishedObjects
    private var isKept = false

    init(
        _ id: AttachmentID, note: NoteID, in folder: ObjectFolder, _ unfinished: UnfinishedObjects,
        _ sealer: AttachmentSealer, _ noteKeys: NoteKeys?
    ) throws {
        self.id = id
        self.note = note
        self.folder = folder
        self.noteKeys = noteKeys
        object = try ObjectName(SecureRandom.bytes(ObjectName.byteCount))
        epoch = sealer.layer.epoch
        layers = try sealer.layers(object, id, note: note, epoch: epoch, noteKeys)
        self.unfinished = unfinished
        descriptor = try folder.create(object)
        unfinished.insert(object)
    }

    /// Waits until the file is on disk: before a transaction may name it.
    ///
    /// It is closed with that: a thousand files of one note are not kept open.
    public func sync() throws(VaultError) {
        try folder.sync(descriptor, object)
        close(descriptor)
        descriptor = -1
    }

    /// Keeps the file: the index names it now, or may name it.
    public func keep() { isKept = true }

    /// Gives the file up: the index does not name it after all.
    func drop() { isKept = false }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isKept { folder.remove(object) }
        unfinished.remove(object)
    }
}
