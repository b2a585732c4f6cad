// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SearchText
internal import VaultCrypto
internal import VaultFormat

/// `RescuedIndex` says what a number of a rescued index tells those who name it to its owner.
public enum RescuedIndex {
    /// From here on numbers are of folders that other machines reach.
    public static let sharedNumberMin = 1000
}

/// `RescuedName` makes and reads names of what an agent wrote beside a vault whose index was exchanged or removed under
/// it. Spec: docs/format.md §14.
enum RescuedName {
    static let ending = ".rescued"
    static let manifest = "manifest" + ending
    /// Name of the rescued header, which lies beside the index where the vault's folder may be gone: without a header
    /// nothing opens.
    static let header = "header" + ending
    /// Most numbers that are tried: where all are taken, somebody takes the files away again and again.
    private static let numberMax = 99
    /// Numbers where another machine may write the same names, and a sync program would put one's into the other's
    /// place.
    private static let sharedNumbers = RescuedIndex.sharedNumberMin...9999

    static func index(epoch: UInt32) -> String { "index-\(epoch)" + ending }

    /// Returns the name with a number; nothing that was written before is replaced.
    static func numbered(_ name: String, _ number: Int) -> String { number == 1 ? name : "\(name).\(number)" }

    /// Returns the numbers to try, in this order.
    static func numbers(isShared: Bool) throws(CryptoError) -> [Int] {
        guard isShared else { return Array(1...numberMax) }
        let bytes = try SecureRandom.bytes(2 * numberMax)
        return (0..<numberMax).map { at in
            sharedNumbers.lowerBound + (Int(bytes[2 * at]) << 8 | Int(bytes[2 * at + 1])) % sharedNumbers.count
        }
    }

    static func isOne(_ name: String) -> Bool {
        guard let found = name.range(of: ending) else { return false }
        let stem = name[..<found.lowerBound]
        let isIndex = stem.hasPrefix("index-") && stem.count > 6 && stem.dropFirst(6).allSatisfy(Self.isDigit)
        return number(String(name[found.upperBound...])) != nil && (isIndex || stem == "manifest" || stem == "header")
    }

    /// Returns the number of a rescued index of an epoch; nil for another name.
    static func number(of name: String, epoch: UInt32) -> Int? {
        name.hasPrefix(index(epoch: epoch)) ? number(String(name.dropFirst(index(epoch: epoch).count))) : nil
    }

    /// Reads what stands behind `.rescued`: nothing, or a point and digits.
    private static func number(_ ending: String) -> Int? {
        if ending.isEmpty { return 1 }
        guard ending.first == ".", ending.dropFirst().allSatisfy(Self.isDigit) else { return nil }
        return Int(ending.dropFirst())
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}

extension String {
    /// Finds the first place of a text in this one.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return at..<index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}

extension VaultProbe {
    /// Explains an error of a vault that a slot has opened and whose index is missing, damaged or older than it was,
    /// when a rescued index lies beside it: that is told, since no backup has as much, and going on with the older
    /// state would part company with it.
    ///
    /// Nobody removes what was rescued, so it may be far older than what lies beside it now: it is told only where it
    /// is of this epoch, its manifest opens under the vault's key, and neither the manifest there is nor the pin knows
    /// a newer state.
    func explained(_ error: VaultError, _ header: Header, _ keys: VaultKeys) -> VaultError {
        guard [.integrity, .rollback, .otherHistory].contains(error.code), let names = try? directory.names() else {
            return error
        }
        let file = ManifestFile(directory, keys: keys, header: header)
        let pinned = pin.map { $0.epoch == header.epoch ? $0.generation : 0 } ?? 0
        let known = max((try? file.read())?.generation ?? 0, pinned)
        let newest =
            names
            .compactMap { name -> (number: Int, generation: UInt64)? in
                guard let number = RescuedName.number(of: name, epoch: header.epoch),
                    let bytes = try? directory.read(
                        RescuedName.numbered(RescuedName.manifest, number), byteCountMax: ManifestFile.byteCountMax),
                    let found = file.opened(bytes), found.generation >= known
                else { return nil }
                return (number, found.generation)
            }
            .max { $0.generation < $1.generation }
        guard let newest else { return error }
        return VaultError(.rescuedWaits, found: UInt64(header.epoch), expected: UInt64(newest.number))
    }
}

extension OpenVault {
    /// Writes the newest state of the index out, which only the open files hold now, with a manifest that it opens
    /// under: beside the vault, or, where its folder is gone too, in the state directory.
    ///
    /// - Returns: what the error says of it.
    func rescue() -> VaultError {
        let epoch = UInt64(header.epoch)
        if let number = try? writeRescued(to: directory) {
            // Everything in the folder may be gone; a header that is there is for its owner to judge.
            if HeaderFile.names.allSatisfy({ directory.identity($0) == nil }) { try? current.mendCopies(keys) }
            return VaultError(.filesExchanged, found: epoch, expected: UInt64(number))
        }
        if let folder = pins.rescueFolder(), let number = try? writeRescued(to: folder, withHeader: true) {
            return VaultError(.filesGone, found: epoch, expected: UInt64(number))
        }
        return VaultError(.filesLost)
    }

    /// Tells whether what was written out still lies beside the vault.
    func isRescued(_ number: Int) -> Bool {
        [RescuedName.index(epoch: header.epoch), RescuedName.manifest].allSatisfy {
            directory.identity(RescuedName.numbered($0, number)) != nil
        }
    }

    /// Writes the index and a manifest into a folder, with a header where that is asked for.
    ///
    /// - Returns: which one of this name it is, from 1.
    private func writeRescued(to folder: VaultDirectory, withHeader: Bool = false) throws -> Int {
        let index = RescuedName.index(epoch: header.epoch)
        guard
            let number = try RescuedName.numbers(isShared: !withHeader && folder.needsLease).first(where: { number in
                // A manifest or header of that number may belong to an index of another epoch or vault.
                [index, RescuedName.manifest, RescuedName.header].allSatisfy {
                    folder.identity(RescuedName.numbered($0, number)) == nil
                }
            })
        else { throw VaultError(.exists) }
        let name = RescuedName.numbered(index, number)
        // With its number: another machine may be writing its own beside it.
        let temporary = name + ".new"
        for left in [temporary, temporary + "-wal"] { folder.remove(left) }
        let salt = try SecureRandom.bytes(Manifest.logSaltByteCount)
        let files = try IndexFile.storage(
            folder, header: header, keys: keys, logSalt: salt, creating: true, named: temporary)
        // Through the open connection: it reads the log over the pages, and writes nothing to either.
        let copy = try IndexCopy(database, to: files) { $0.add(tokenizer: GramTokenizer.self) }
        do {
            try copy.finishPages()
            try copy.close()
        } catch {
            copy.abandon()
            for left in [temporary, temporary + "-wal"] { folder.remove(left) }
            throw error
        }
        folder.remove(temporary + "-wal")
        let state = try read { try IndexState.fetch($0.database) }
        var found = Manifest(
            generation: state.generation, pageCount: files.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: true)
        // Its root alone, which no older page fits; its file is made again from the pages.
        found.map = MapRoot(try files.buildMap(temporary + "-map"))
        folder.remove(temporary + "-map")
        if withHeader { try folder.replace(RescuedName.numbered(RescuedName.header, number), with: header.encoded) }
        let sealed = try manifestFile.sealed(found.naming(header))
        try folder.replace(RescuedName.numbered(RescuedName.manifest, number), with: sealed)
        guard folder.giveName(name, to: temporary), folder.sync() else { throw VaultDirectory.failure() }
        return number
    }
}

extension PinStore {
    /// Returns a folder of ours for what has no place in the vault's own; nil where nothing can be written.
    fileprivate func rescueFolder() -> VaultDirectory? {
        VaultDirectory.made(at: stateFolder + "/rescued")
    }
}
