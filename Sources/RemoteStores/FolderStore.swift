// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
package import SyncProtocol

/// `FolderStore` is a remote that is a folder: on a disk, a mounted share, or one that another program keeps alike on
/// other machines.
///
/// A file appears whole: written under a name that is not one of ours, synced, renamed, and the folder synced. Every
/// folder of a path is opened by itself and without following links, from the descriptor that this process was given.
/// What another program brings in pieces does not open later, and counts as not there yet.
package final class FolderStore: RemoteStore {
    private let root: PassedFile
    private let order: StartOrder
    private var watching: FolderWatch?

    package init(_ root: PassedFile, _ order: StartOrder) {
        (self.root, self.order) = (root, order)
    }

    package func get(_ name: StoreName, into file: PassedFile, max: Int, _ done: @escaping Done) {
        done(
            Result { () throws(StoreFailure) in
                let folder = try open(name.folder)
                let source = unsafe vs_open_at(folder.descriptor, name.text, O_RDONLY | O_NONBLOCK, 0)
                guard source >= 0 else { throw Self.failure(errno) }
                let found = PassedFile(taking: source)
                // A pipe or a device under a name of ours is nothing that we wrote.
                guard let byteCount = found.regularByteCount else { throw StoreFailure(.malformed) }
                guard byteCount <= max else { throw StoreFailure(.tooLarge) }
                return try FileBytes.copy(
                    from: source, to: file.descriptor, byteCount: max, mayEndEarly: true, reading: Self.failure
                ) { StoreFailure(.local, detail: $0) }
            })
    }

    package func put(
        _ name: StoreName, from file: PassedFile, byteCount: Int, digest: [UInt8], _ done: @escaping Done
    ) {
        done(
            Result { () throws(StoreFailure) in
                let folder = try open(name.folder, creates: true)
                let temporary = try TemporaryName()
                let target = unsafe vs_open_at(folder.descriptor, temporary.text, O_WRONLY | O_CREAT | O_EXCL, 0o600)
                guard target >= 0 else { throw Self.failure(errno) }
                let new = PassedFile(taking: target)
                do throws(StoreFailure) {
                    _ = try FileBytes.copy(
                        from: file.descriptor, to: target, byteCount: byteCount, mayEndEarly: false,
                        reading: { StoreFailure(.local, detail: $0) }, writing: Self.failure)
                    guard fsync(new.descriptor) == 0 else { throw Self.failure(errno) }
                    watching?.expect(name.text)
                    guard unsafe renameat(folder.descriptor, temporary.text, folder.descriptor, name.text) == 0,
                        fsync(folder.descriptor) == 0
                    else { throw Self.failure(errno) }
                } catch {
                    _ = unsafe unlinkat(folder.descriptor, temporary.text, 0)
                    // Somebody has removed the file or its folder meanwhile: to be tried again.
                    throw error.code == .absent ? StoreFailure(.missing, detail: error.detail) : error
                }
                return 0
            })
    }

    package func list(_ folder: StoreFolder, into file: PassedFile, _ done: @escaping Done) {
        done(
            Result { () throws(StoreFailure) in
                guard let names = try names(in: folder) else { return 0 }
                return try StoreListing.write(names, to: file.descriptor)
            })
    }

    package func delete(_ name: StoreName, _ done: @escaping Done) {
        done(
            Result { () throws(StoreFailure) in
                do throws(StoreFailure) {
                    let folder = try open(name.folder)
                    guard unsafe unlinkat(folder.descriptor, name.text, 0) == 0, fsync(folder.descriptor) == 0 else {
                        throw Self.failure(errno)
                    }
                } catch {
                    guard error.code == .absent else { throw error }
                }
                return 0
            })
    }

    // MARK: Changes

    package func watch() -> Bool {
        if watching == nil { watching = FolderWatch() }
        return watching != nil
    }

    package func wait(for channel: Int32) -> Bool {
        if let watching { followFolders(watching) }
        var waiting = [
            pollfd(fd: channel, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watching?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&waiting, 2, -1)
        return waiting[1].revents != 0 && watching?.takeEvents() == true
    }

    /// Watches the folders that have come since. They come as names of their shard do: after an event there may be more
    /// of them to watch.
    private func followFolders(_ watching: FolderWatch) {
        guard watching.wantsFolders else { return }
        watching.wantsFolders = false
        guard let vault = try? openVaultFolder() else { return }
        watching.follow(vault)
        for area in StoreArea.allCases {
            guard let folder = try? open(area.letter, in: vault) else { continue }
            watching.follow(folder)
            guard area.isSharded else { continue }
            // Each is closed before the next is opened: there are more of them than descriptors.
            for shard in UInt8.min...UInt8.max {
                guard let parts = StoreFolder(area, shard: shard)?.parts,
                    let inner = try? open(parts[1], in: folder)
                else { continue }
                watching.follow(inner)
            }
        }
    }

    // MARK: Folders

    private func openVaultFolder(creates: Bool = false) throws(StoreFailure) -> PassedFile {
        var folder = root
        for part in order.folder {
            do throws(StoreFailure) { folder = try open(part, in: folder, creates: creates) } catch {
                // A disk that is not mounted leaves an empty folder behind, which takes everything and keeps nothing.
                throw error.code == .absent ? StoreFailure(.missing) : error
            }
        }
        return folder
    }

    private func open(_ folder: StoreFolder, creates: Bool = false) throws(StoreFailure) -> PassedFile {
        var found = try openVaultFolder(creates: creates && order.createsVaultFolder)
        for part in folder.parts { found = try open(part, in: found, creates: creates) }
        return found
    }

    private func open(_ part: String, in folder: PassedFile, creates: Bool = false) throws(StoreFailure)
        -> PassedFile
    {
        if creates {
            if unsafe mkdirat(folder.descriptor, part, 0o700) == 0 {
                watching?.expect(part)
                guard fsync(folder.descriptor) == 0 else { throw Self.failure(errno) }
            } else if errno != EEXIST {
                throw Self.failure(errno)
            }
        }
        let descriptor = unsafe vs_open_at(folder.descriptor, part, O_RDONLY | O_DIRECTORY, 0)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        return PassedFile(taking: descriptor)
    }

    /// Lists the names of ours in a folder, and removes old temporary files there; nil when there is no such folder.
    private func names(in folder: StoreFolder) throws(StoreFailure) -> Set<StoreName>? {
        let opened: PassedFile
        do throws(StoreFailure) { opened = try open(folder) } catch {
            guard error.code == .absent else { throw error }
            return nil
        }
        guard let stream = unsafe fdopendir(dup(opened.descriptor)) else { throw Self.failure(errno) }
        defer { unsafe closedir(stream) }
        var names: Set<StoreName> = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let text = unsafe withUnsafePointer(to: &entry.pointee.d_name) { place in
                unsafe place.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
                    unsafe Array(UnsafeBufferPointer(start: bytes, count: min(255, strlen(bytes))))
                }
            }
            if let name = StoreName(folder.area, text), name.folder == folder { names.insert(name) }
            guard names.count <= StoreFolder.nameCountMax else { throw StoreFailure(.tooLarge) }
            TemporaryName.removeIfOld(text, in: opened.descriptor)
            errno = 0
        }
        guard errno == 0 else { throw Self.failure(errno) }
        return names
    }

    private static func failure(_ errno: Int32) -> StoreFailure {
        let code: StoreFailure.Code =
            switch errno {
            case ENOENT: .absent
            case EACCES, EPERM, EROFS: .refused
            case ENOSPC, EDQUOT: .quota
            case EFBIG: .tooLarge
            case ELOOP, ENOTDIR, EISDIR: .malformed
            case ETIMEDOUT: .timedOut
            default: .unreachable
            }
        return StoreFailure(code, detail: errno)
    }
}
