// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory

struct SyncCompareCommand: Command {
    static let name = "compare"
    static var spec: Spec {
        Spec(
            "Compare, by eye or with a file, what two devices have read.",
            discussion: """
                Prints DEVICE:NUMBER:HASH for each device. A remote can hold back new data without being noticed, \
                but two devices that were shown different data can see it here: where a number is the same, the \
                six characters after it must be the same. A lower number only means a delay. Given what another device \
                prints, it compares, and exits with 13 where one number has two hashes.
                """,
            examples: [
                "vault sync compare": "Print the values to compare with those on the other screen.",
                "vault sync compare a1b2c3:12:4f5e6d": "Type what the other screen says.",
                "vault sync compare --file other.json": "Compare with 'vault sync compare --json' of the other device.",
            ])
    }
    var points: [String] = []
    var file: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.option(
            &file, "file", value: "file", "Read what another device has printed, as text or JSON.", completion: .file)
        list.words(&points, "point", "What another device says: DEVICE:NUMBER:HASH.", needed: false)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let all = try points + (file.map { name throws(ClientFailure) in try Self.points(in: name) } ?? [])
        guard all.count <= 4096 else { throw .usage("these are more than 4,096 points") }
        for point in all where point.utf8.count > 64 {
            throw .tooLong(point, "point", count: point.utf8.count, max: 64)
        }
        return try context.send(CompareSync(points: all))
    }

    private static let fileByteCountMax = 4 << 20

    /// Returns what looks like a point in a file, whatever stands around it.
    private static func points(in name: String) throws(ClientFailure) -> [String] {
        let opened = unsafe open(name, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other,
                "cannot open \(VisibleText.escaped(name)): \(SystemError.text(errno))",
                hint: "vault sync compare --json, on the other device")
        }
        defer { close(opened) }
        let bytes: [UInt8]
        do { bytes = try FileBytes.read(opened, max: fileByteCountMax) } catch {
            throw ClientFailure(.other, "cannot read \(VisibleText.escaped(name))")
        }
        let isOfPoint = { (byte: UInt8) in
            (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
        }
        let found = bytes.split { !isOfPoint($0) }.filter { word in
            let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            return parts.count == 3 && (6...32).contains(parts[0].count) && (1...20).contains(parts[1].count)
                && parts[2].count == 6 && parts[1].allSatisfy { (0x30...0x39).contains($0) }
        }
        guard !found.isEmpty else {
            throw .usage(
                "\(VisibleText.escaped(name)) has nothing to compare",
                hint: "vault sync compare --json > FILE, on the other device")
        }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }
}

struct SyncPauseCommand: Command {
    static let name = "pause"
    static var spec: Spec {
        Spec(
            "Read and send nothing over a remote until 'vault sync resume'.",
            discussion: "Changes made meanwhile are sent then. The pause survives a lock and a restart.",
            examples: ["vault sync pause": "Send nothing, as on a train."])
    }
    var name: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; may be left out when there is one.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(PauseRemote(name: RemotePath.name(name), isPaused: true))
    }
}

struct SyncResumeCommand: Command {
    static let name = "resume"
    static var spec: Spec {
        Spec("Sync over a paused remote again.", examples: ["vault sync resume": "Go on."])
    }
    var name: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; may be left out when there is one.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(PauseRemote(name: RemotePath.name(name), isPaused: false))
    }
}

struct SyncVerifyCommand: Command {
    static let name = "verify"
    static var spec: Spec {
        Spec(
            "Read back what this device has sent, and name what is missing.",
            discussion: """
                Reads everything of this device that the remote should have: the header, its own parts of the history, \
                and the attachments that are here. Exits with 13 when something is missing or altered. Changes nothing.
                """,
            examples: ["vault sync verify": "See whether the remote has everything, once a month."])
    }
    var name: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; may be left out when there is one.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(VerifyRemote(name: RemotePath.name(name), repairs: false))
    }
}

struct SyncRepairCommand: Command {
    static let name = "repair"
    static var spec: Spec {
        Spec(
            "Read back what this device has sent, and send again what is missing.",
            discussion: """
                What is sent again is byte for byte what was sent before, and is read back after that. Nothing is \
                removed. Each device repairs only what it has sent itself.
                """,
            examples: ["vault sync repair": "After a remote has lost something."])
    }
    var name: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; may be left out when there is one.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(VerifyRemote(name: RemotePath.name(name), repairs: true))
    }
}

struct RemoteSetCommand: Command {
    static let name = "set"
    static var spec: Spec {
        Spec(
            "Change a remote's name, user and password, or rights.",
            discussion: "A new password is tested before it is stored. The remote's files are not changed.",
            examples: [
                "vault remote set folder --name nas": "Rename it.",
                "vault remote set webdav --user me": "Give the server's new password, which is asked for.",
                "vault remote set s3 --append-only": "Never remove anything from it, so that the store can forbid it.",
            ])
    }
    var remote = ""
    var options = RemoteOptions()
    var removes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&remote, "remote", "The remote.")
        list.option(&options.name, "name", value: "name", "What to call it.")
        list.flag(&options.appendOnly, "append-only", "Never remove anything from it.")
        list.flag(&removes, "no-append-only", "Remove files again when they are no longer needed.")
        list.option(
            &options.user, "user", value: "name", "A server's user, or the access key of S3; its password is asked for."
        )
        list.option(
            &options.secretFile, "secret-file", value: "file", "Read the server's password from a file.",
            completion: .file)
        list.option(&options.secretDescriptor, "secret-fd", value: "n", "Read the server's password from a descriptor.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let (name, newName) = (try RemotePath.name(remote), try RemotePath.name(options.name))
        guard !(options.appendOnly && removes) else {
            throw .usage("--append-only and --no-append-only cannot both be given")
        }
        let appendOnly: UInt8 = options.appendOnly ? 2 : removes ? 1 : 0
        guard options.user != nil else {
            guard options.secretFile == nil, options.secretDescriptor == nil else {
                throw .usage("a password is given together with its user", hint: "--user USER")
            }
            var setting = SetRemote(name: name, newName: newName, hasSecret: false)
            setting.appendOnly = appendOnly
            return try context.send(setting)
        }
        let secret = try options.secret(.webDAV, context)
        return try Session.with(context) { conversation throws(ClientFailure) in
            var setting = SetRemote(name: name, newName: newName, hasSecret: true)
            setting.appendOnly = appendOnly
            return try conversation.perform(setting, secret: secret.duplicate())
        }
    }
}

struct SyncLogCommand: Command {
    static let name = "log"
    static var spec: Spec {
        Spec(
            "Show what syncing did, the newest last.",
            discussion: """
                Shows what came from each device, what was sent, which versions were merged or both kept, and \
                why a remote could not be used. The last 1,000 lines are kept, encrypted in the vault. No line has a \
                title.
                """,
            examples: ["vault sync log": "See when changes of another device came in."])
    }

    mutating func declare(_ list: inout ArgumentList) {}

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ShowSyncLog()) }
}
