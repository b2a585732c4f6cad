// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SecretMemory
internal import SyncProtocol
internal import VaultCrypto
internal import VaultFormat

/// `RemoteLink` is the agent's way to one remote: a `vault-sync` that is started when something is to be asked, and
/// files without a name for what it brings. It never waits: the caller polls `descriptor` and calls `step`.
final class RemoteLink: StoreLink {
    /// `Answer` is what a request came to.
    enum Answer {
        /// The bytes of a file, or of a listing.
        case bytes([UInt8])
        case done
        case failed(StoreFailure)
    }

    private enum Request {
        case get(StoreName)
        /// The file is closed when the request was answered.
        case put(StoreName, PassedFile, byteCount: Int, digest: [UInt8])
        case list(StoreFolder)
        case delete(StoreName)
        case watch
    }

    private struct Waiting {
        let request: Request
        let completion: (Answer) -> Void
    }

    private struct Open {
        let waiting: Waiting
        /// What it writes into; nil for the others.
        let file: PassedFile?
    }

    let settings: RemoteSettings
    private let credential: () -> SecretBytes?
    /// Makes the vault's folder where it is missing: while a remote is being added.
    private let creates: Bool
    private var process: SyncProcess?
    /// What it was given where the remote is a folder, and what that was called then.
    private var folder: PassedFile?
    private var folderName: [UInt8]?
    private var isReady = false
    private var waiting: [Waiting] = []
    /// A process has ended while it had something to do, since one has answered last.
    private var hasRestarted = false
    private var open: [Ticket: Open] = [:]
    /// Requests that were answered with anything but an error since the last time somebody looked.
    private(set) var answeredCount = 0
    /// The last reason why something could not be had.
    private(set) var failure: StoreFailure?
    /// Called when what opens the remote is another one from now on.
    var whenCredential: ((consuming SecretBytes) -> Void)?
    /// Whether the credential is what somebody has just got for signing in.
    var signsIn = false
    /// When the last one was taken, by the boot's clock.
    var credentialTaken = -Double.infinity
    /// Whether the remote says by itself that something is new.
    private(set) var isTold = false
    /// Called when something on the remote may be new; asked for where there is something of the kind.
    var whenChanged: (() -> Void)?
    /// Requests that are under way at once.
    private static let openCountMax = 12

    /// Makes a link; its process is started when something is asked.
    ///
    /// - Parameter credential: gives it when a process is started; nil ends that.
    init(_ settings: RemoteSettings, creates: Bool = false, credential: @escaping () -> SecretBytes?) {
        self.settings = settings
        self.creates = creates
        self.credential = credential
    }

    /// Readable when there is something for `step`; nil while no process runs.
    var descriptor: Int32? { process?.descriptor }
    /// Whether all that was asked is answered.
    var isIdle: Bool { waiting.isEmpty && open.isEmpty }

    /// Begins anew, also when the remote's folder was moved away: a process that goes on would write into that.
    func forgetFailure() {
        failure = nil
        guard process != nil, waiting.isEmpty, folder?.name != folderName else { return }
        if !open.values.contains(where: { if case .watch = $0.waiting.request { false } else { true } }) { end() }
    }

    // MARK: Requests

    func get(_ name: StoreName, _ completion: @escaping (Answer) -> Void) { ask(.get(name), completion) }

    func list(_ folder: StoreFolder, _ completion: @escaping (Answer) -> Void) { ask(.list(folder), completion) }

    /// Removes a file; of an append-only remote nothing, and that is as good.
    func delete(_ name: StoreName, _ completion: @escaping (Answer) -> Void) {
        delete(name, whatever: false, completion)
    }

    /// - Parameter whatever: asks for it in an append-only remote too, to see whether that lets it.
    func delete(_ name: StoreName, whatever: Bool, _ completion: @escaping (Answer) -> Void) {
        guard whatever || !isAppendOnly else { return completion(.done) }
        ask(.delete(name), completion)
    }

    var isAppendOnly: Bool { settings.isAppendOnly }

    /// Stores a file under a name.
    ///
    /// - Parameter file: a regular file, read from its beginning.
    func put(
        _ name: StoreName, _ file: PassedFile, byteCount: Int, digest: [UInt8],
        _ completion: @escaping (Answer) -> Void
    ) {
        ask(.put(name, file, byteCount: byteCount, digest: digest), completion)
    }

    /// Does the same with bytes that lie nowhere else.
    func put(_ name: StoreName, _ bytes: [UInt8], _ completion: @escaping (Answer) -> Void) {
        guard let file = PassedFile.inMemory(holding: bytes), let digest = try? Digest.sha256(bytes) else {
            return completion(.failed(StoreFailure(.local)))
        }
        put(name, file, byteCount: bytes.count, digest: digest, completion)
    }

    private func ask(_ request: Request, _ completion: @escaping (Answer) -> Void) {
        waiting.append(Waiting(request: request, completion: completion))
        send()
    }

    private func send() {
        guard !waiting.isEmpty else { return }
        if process == nil, !start() { return failAll(failure ?? StoreFailure(.unreachable)) }
        guard isReady, let process else { return }
        var sent = 0
        while sent < waiting.count, open.count < Self.openCountMax {
            let next = waiting[sent]
            sent += 1
            do throws(SyncProcess.Failure) { try send(next, process) } catch {
                return end(of: error, without: sent - 1)
            }
        }
        waiting.removeFirst(sent)
    }

    private func send(_ next: Waiting, _ process: SyncProcess) throws(SyncProcess.Failure) {
        switch next.request {
        case .get(let name):
            guard let file = PassedFile.inMemory() else { return next.completion(.failed(StoreFailure(.local))) }
            open[try process.get(name, into: file.descriptor)] = Open(waiting: next, file: file)
        case .list(let folder):
            guard let file = PassedFile.inMemory() else { return next.completion(.failed(StoreFailure(.local))) }
            open[try process.list(folder, into: file.descriptor)] = Open(waiting: next, file: file)
        case .put(let name, let file, let byteCount, let digest):
            open[try process.put(name, from: file.descriptor, byteCount: byteCount, digest: digest)] = Open(
                waiting: next, file: nil)
        case .delete(let name): open[try process.delete(name)] = Open(waiting: next, file: nil)
        case .watch: open[try process.watch()] = Open(waiting: next, file: nil)
        }
    }

    // MARK: The process

    private func start() -> Bool {
        isReady = false
        guard let program = InstalledProgram.path(of: "vault-sync") else {
            failure = StoreFailure(.local)
            return false
        }
        var order = settings.order
        order.createsVaultFolder = creates
        order.signsIn = signsIn
        if case .folder(let path) = settings.place {
            let text = path.map { CChar(bitPattern: $0) } + [0]
            let opened = unsafe Glibc.open(text, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard opened >= 0 else {
                failure = StoreFailure(errno == EACCES ? .refused : .missing, detail: errno)
                return false
            }
            folder = PassedFile(taking: opened)
            folderName = folder?.name
        }
        switch credential() {
        case .none:
            failure = StoreFailure(.local)
            return false
        case .some(let secret):
            do throws(SyncProcess.Failure) {
                process = try SyncProcess(program: program, order, folder: folder?.descriptor, credential: secret)
                return true
            } catch {
                failure = StoreFailure(.unreachable)
                return false
            }
        }
    }

    /// Takes answers in, and sends what waited for them.
    func step() {
        guard let process else { return send() }
        do throws(SyncProcess.Failure) {
            for event in try process.events() {
                switch event {
                case .ready:
                    isReady = true
                    if whenChanged != nil, settings.place.tellsNews {
                        waiting.insert(
                            Waiting(request: .watch) { [unowned self] answer in
                                if case .done = answer { isTold = true }
                            }, at: 0)
                    }
                case .changed: whenChanged?()
                case .credential:
                    take(process.takeCredential())
                case .done(let ticket, let byteCount): finish(ticket, byteCount)
                case .failed(let ticket, let reason): fail(ticket, reason)
                }
            }
            send()
        } catch { end(of: error, without: 0) }
    }

    private func finish(_ ticket: Ticket, _ byteCount: Int) {
        guard let done = open.removeValue(forKey: ticket) else { return }
        answeredCount += 1
        hasRestarted = false
        guard let file = done.file else { return done.waiting.completion(.done) }
        // Read once: the process that wrote it could still change it.
        guard let bytes = Self.read(file.descriptor, byteCount) else {
            return done.waiting.completion(.failed(StoreFailure(.local)))
        }
        done.waiting.completion(.bytes(bytes))
    }

    private func fail(_ ticket: Ticket, _ reason: StoreFailure) {
        guard let failed = open.removeValue(forKey: ticket) else { return }
        switch reason.code {
        // That something is not there is an answer to a request to read it.
        case .absent where failed.file != nil: answeredCount += 1
        // Nobody has to hear that a remote tells no news.
        case .unsupported: break
        default: failure = reason
        }
        failed.waiting.completion(.failed(reason))
    }

    private static func read(_ descriptor: Int32, _ byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var done = 0
        while done < byteCount {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress! + done, byteCount - done, off_t(done))
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    /// Drops a process that is of no more use, and fails all that waits for it.
    private func end(of error: SyncProcess.Failure, without sent: Int) {
        (process, folder) = (nil, nil)
        (isReady, isTold) = (false, false)
        waiting.removeFirst(sent)
        // One that has nothing to do may end: it is started again when there is something.
        guard error != .ended || !(open.isEmpty && waiting.isEmpty) else { return }
        // It may have ended in the moment in which it was asked: everything can be asked for once more.
        if error == .ended, !hasRestarted {
            hasRestarted = true
            waiting = open.sorted { $0.key < $1.key }.map(\.value.waiting) + waiting
            open = [:]
            return send()
        }
        failAll(StoreFailure(error == .malformed ? .malformed : .unreachable))
    }

    private func failAll(_ reason: StoreFailure) {
        failure = reason
        let all = open.values.map(\.waiting) + waiting
        open = [:]
        waiting = []
        for one in all { one.completion(.failed(reason)) }
    }

    /// Ends the process; what was asked is forgotten.
    func end() {
        (process, folder) = (nil, nil)
        (isReady, isTold) = (false, false)
        open = [:]
        waiting = []
    }
}
