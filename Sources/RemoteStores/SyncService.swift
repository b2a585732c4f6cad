// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import Sandbox
internal import SecretMemory
internal import SyncProtocol

/// `SyncService` does what `vault-sync` is for: it takes one remote from the agent, confines itself, then does what it
/// is asked, some requests at a time, until the agent closes its end.
///
/// The first packets are read before the confinement, for it depends on them: they are the agent's. No byte of a store
/// is read before it.
public final class SyncService {
    private let channel: SyncChannel
    private let store: any RemoteStore
    private var waiting: [(SyncRequest, PassedFile?)] = []
    private var runningCount = 0
    private var isWatching = false
    /// Said once, until the agent asks for something again.
    private var hasSaidChanged = false
    private var isOver = false

    /// Takes the start from a socket and confines the process.
    ///
    /// - Returns: nil when there is no such start, or the system refuses to confine; the process must end then.
    public init?(channel descriptor: Int32) {
        let channel = SyncChannel(taking: descriptor)
        self.channel = channel
        guard let first = try? Self.awaited(channel, { () throws(SyncChannel.Failure) in try channel.receive() }),
            case .start(let order)? = try? SyncRequest(parsing: first.bytes)
        else { return nil }
        guard (first.file != nil) == (order.settings == .folder),
            let store = Self.store(order, first.file, channel)
        else { return nil }
        self.store = store
    }

    /// Makes the store and confines the process, in the order that each kind needs: nothing of a store is read before.
    private static func store(_ order: StartOrder, _ folder: PassedFile?, _ channel: SyncChannel) -> (any RemoteStore)?
    {
        if case .folder = order.settings {
            guard let folder, Sandbox.enter(for: .folder(descriptor: folder.descriptor)) else { return nil }
            return FolderStore(folder, order)
        }
        let max = StoreCredential.byteCountMax
        guard TransferLoop.prepare(),
            let secret = try? awaited(
                channel, { () throws(SyncChannel.Failure) in try channel.receiveSecret(max: max) }),
            let credential = StoreCredential(secret, for: order.settings)
        else { return nil }
        if case .rclone(let folder) = order.settings {
            guard let process = RcloneProcess(folder),
                let loop = TransferLoop(order, credential, connectionCount: 9, over: process.porter),
                Sandbox.enter(for: .passedConnections)
            else { return nil }
            return RcloneStore(loop, folder, order)
        }
        // Dropbox takes more at once, one request waits for news and one gets a token.
        let count = order.settings.addresses.count > 1 ? 14 : TransferLoop.connectionCountMax
        guard let loop = TransferLoop(order, credential, connectionCount: count),
            Sandbox.enter(for: .network(ports: Array(Set(order.settings.addresses.map(\.port)))))
        else { return nil }
        switch order.settings {
        case .folder, .rclone: return nil
        case .webDAV(let root): return WebDAVStore(loop, root, order)
        case .s3(let bucket): return S3Store(loop, bucket, order)
        case .dropbox(let folder): return DropboxStore(loop, folder, order)
        }
    }

    private static func awaited<Packet: ~Copyable>(
        _ channel: SyncChannel, _ receive: () throws(SyncChannel.Failure) -> Packet?
    ) throws(SyncChannel.Failure) -> Packet {
        while true {
            if let packet = try receive() { return packet }
            var readable = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&readable, 1, -1)
        }
    }

    /// Serves until the agent's end is closed.
    ///
    /// - Returns: false when the agent said what no agent of ours says.
    public func run() -> Bool {
        answer(.ready)
        store.tellCredential { [unowned self] credential in
            answer(.credential)
            guard !isOver else { return }
            credential.withPacket { secret in
                do { try channel.send(secret: secret) } catch { isOver = true }
            }
        }
        do throws(SyncChannel.Failure) {
            // What was asked in the moment of ending is answered before the end.
            while !isOver, !store.isOver || !waiting.isEmpty || runningCount > 0 {
                let isNews = store.wait(for: channel.descriptor)
                while let packet = try channel.receive() {
                    guard let request = try? SyncRequest(parsing: packet.bytes), accept(request, packet.file) else {
                        return false
                    }
                }
                beginWaiting()
                if isNews && isWatching && !hasSaidChanged {
                    hasSaidChanged = true
                    answer(.changed)
                }
            }
        } catch { return error == .closed }
        return true
    }

    private func accept(_ request: SyncRequest, _ file: PassedFile?) -> Bool {
        guard request.takesDescriptor == (file != nil), waiting.count + runningCount < SyncProcess.requestCountMax
        else {
            return false
        }
        hasSaidChanged = false
        waiting.append((request, file))
        return true
    }

    private func beginWaiting() {
        while runningCount < store.requestCountMax, !waiting.isEmpty {
            let (request, file) = waiting.removeFirst()
            runningCount += 1
            perform(request, file)
        }
    }

    private func perform(_ request: SyncRequest, _ file: PassedFile?) {
        switch (request, file) {
        case (.get(let ticket, let name, let max), let file?):
            store.get(name, into: file, max: max) { [unowned self] in end(ticket, $0) }
        case (.put(let ticket, let name, let byteCount, let digest), let file?):
            guard file.regularByteCount == byteCount else {
                return end(ticket, .failure(StoreFailure(.local, detail: EINVAL)))
            }
            store.put(name, from: file, byteCount: byteCount, digest: digest) { [unowned self] in end(ticket, $0) }
        case (.list(let ticket, let folder), let file?):
            store.list(folder, into: file) { [unowned self] in end(ticket, $0) }
        case (.delete(let ticket, let name), _):
            store.delete(name) { [unowned self] in end(ticket, $0) }
        case (.watch(let ticket), _):
            isWatching = store.watch()
            end(ticket, isWatching ? .success(0) : .failure(StoreFailure(.unsupported)))
        // A second start; the others have their descriptor.
        case (.start, _), (.get, nil), (.put, nil), (.list, nil): isOver = true
        }
    }

    private func end(_ ticket: Ticket, _ result: Result<Int, StoreFailure>) {
        runningCount -= 1
        switch result {
        case .success(let byteCount): answer(.done(ticket, byteCount: byteCount))
        case .failure(let failure): answer(.failed(ticket, failure))
        }
    }

    /// Sends an answer. Sixteen always have room; an agent that takes none is of no use.
    private func answer(_ answer: SyncAnswer) {
        do { try channel.send(answer.encoded) } catch { isOver = true }
    }
}
