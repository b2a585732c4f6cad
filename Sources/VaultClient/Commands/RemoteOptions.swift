// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `RemoteOptions` says where a remote is and what it asks for, as `remote add` and `clone` take it. A password is
/// never an argument.
struct RemoteOptions {
    var name: String?
    var user: String?
    var region = ""
    var bucket = ""
    var prefix = ""
    var server = ""
    var program: String?
    var appendOnly = false
    var secretFile: String?
    var secretDescriptor: Int32?

    mutating func declare(_ list: inout ArgumentList) {
        list.option(&name, "name", value: "name", "What to call the remote; by default its kind.")
        list.option(
            &user, "user", value: "name", "A server's user, or the access key of S3; its password is asked for.")
        list.option(&bucket, "bucket", value: "name", "The bucket of an S3 server.")
        list.option(&region, "region", value: "name", "The region of an S3 server.")
        list.option(&prefix, "prefix", value: "path", "Where in the bucket.")
        list.option(
            &server, "server", value: "url", "The address of a server to use instead of Dropbox, for tests.")
        list.option(&program, "rclone", value: "path", "Which rclone; by default the one in PATH.", completion: .file)
        list.flag(&appendOnly, "append-only", "Never remove anything, so that the remote can forbid it.")
        list.option(
            &secretFile, "secret-file", value: "file",
            "Read the server's password, or Dropbox's refresh token, from a file.",
            completion: .file)
        list.option(&secretDescriptor, "secret-fd", value: "n", "Read it from a descriptor.")
    }

    /// Returns the remote that is meant.
    ///
    /// - Parameter kind: as it was typed; nil to tell by the place.
    func remote(_ kind: String?, _ place: String) throws(ClientFailure) -> AddRemote {
        let isAddress = place.hasPrefix("https://") || place.hasPrefix("http://")
        let word = kind ?? (isAddress ? (bucket.isEmpty ? "webdav" : "s3") : Self.cloud(place) ?? "folder")
        let known: RemoteKind
        switch word {
        case "folder": known = .folder
        case "webdav": known = .webDAV
        case "s3": known = .s3
        case "dropbox": return try dropbox(place)
        case "rclone": return try rclone(place)
        default:
            throw .usage(
                "'\(VisibleText.escaped(word))' is not a kind of remote",
                hint:
                    "vault remote add folder DIR, webdav URL, s3 URL --bucket B --region R, dropbox KEY, or rclone NAME:PATH"
            )
        }
        guard known == .folder || isAddress else {
            throw .usage("a server is named by its address", hint: "https://HOST/PATH; http:// only to this machine")
        }
        guard known != .s3 || !bucket.isEmpty && !region.isEmpty else {
            throw .usage(
                "an S3 server needs a bucket and a region", hint: "vault remote add s3 URL --bucket B --region R")
        }
        let at = known == .folder ? try RemotePath.folder(place) : place
        guard at.utf8.count <= 4096 else { throw .tooLong(at, "place", count: at.utf8.count, max: 4096) }
        var adding = AddRemote(name: try RemotePath.name(name ?? word), kind: known, place: Array(at.utf8))
        (adding.region, adding.bucket, adding.prefix, adding.isAppendOnly) = (region, bucket, prefix, appendOnly)
        return adding
    }

    /// Tells a remote in a cloud from a folder: `dropbox:KEY`, or a name of rclone's before a colon.
    private static func cloud(_ place: String) -> String? {
        if place.hasPrefix("dropbox:") { return "dropbox" }
        guard let colon = place.firstIndex(of: ":"), !place[..<colon].contains("/"), !place.hasPrefix(".") else {
            return nil
        }
        return "rclone"
    }

    private func dropbox(_ place: String) throws(ClientFailure) -> AddRemote {
        let key = place.hasPrefix("dropbox:") ? String(place.dropFirst(8)) : place
        guard !key.isEmpty else {
            throw .usage("Dropbox needs the key of an app", hint: DropboxApp.howToMakeOne)
        }
        var adding = AddRemote(name: try RemotePath.name(name ?? "dropbox"), kind: .dropbox, place: Array(key.utf8))
        (adding.server, adding.isAppendOnly) = (server, appendOnly)
        // A token that somebody has brings no page to open.
        adding.signsIn = secretFile == nil && secretDescriptor == nil
        return adding
    }

    private func rclone(_ place: String) throws(ClientFailure) -> AddRemote {
        guard let colon = place.firstIndex(of: ":"), colon > place.startIndex else {
            throw .usage(
                "'\(VisibleText.escaped(place))' is not an rclone remote and a path in it",
                hint: "vault remote add rclone NAME:PATH; rclone listremotes shows the names")
        }
        let remote = try RcloneRemote(String(place[..<colon]), program)
        let path = String(place[place.index(after: colon)...].drop { $0 == "/" })
        var adding = AddRemote(
            name: try RemotePath.name(name ?? remote.name), kind: .rclone,
            place: Array("\(remote.backend):\(path)".utf8))
        (adding.program, adding.isAppendOnly) = (remote.program, appendOnly)
        return adding
    }

    /// Returns what the remote asks for: the user and the password, each with a zero behind it; nothing of a folder.
    ///
    /// - Parameter place: where it is; it is shown, since an address may come from a pairing code that somebody has
    ///   exchanged.
    func secret(_ kind: RemoteKind, at place: [UInt8] = [], _ context: Context) throws(ClientFailure) -> SecretBytes {
        guard kind != .folder else { return SecretBytes(zeroes: 0) }
        if kind == .dropbox { return try token(context) }
        // A server that asks nobody: two empty texts.
        guard let user else { return SecretBytes(zeroes: 2) }
        let shown = place.isEmpty ? "" : " at " + VisibleText.escaped(path: place)
        let password = try source(context).read(prompt: "Password of the remote\(shown): ")
        let name = Array(user.utf8)
        guard !name.contains(0), name.count <= 1024 else { throw .usage("not a valid user name") }
        var pair = SecretBytes(zeroes: name.count + 1 + password.byteCount + 1)
        unsafe pair.withUnsafeMutableBytes { target in
            unsafe target.copyBytes(from: name)
            unsafe password.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[(name.count + 1)...]).copyMemory(from: source)
            }
        }
        return pair
    }

    /// Returns a refresh token as it is kept.
    private func token(_ context: Context) throws(ClientFailure) -> SecretBytes {
        let token = try source(context).read(prompt: "Refresh token: ")
        var pair = SecretBytes(zeroes: token.byteCount + 2)
        unsafe pair.withUnsafeMutableBytes { target in
            unsafe token.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[1...]).copyMemory(from: source)
            }
        }
        return pair
    }

    private func source(_ context: Context) throws(ClientFailure) -> PasswordSource {
        switch (secretFile, secretDescriptor) {
        case (.some, .some): throw .usage("the server's password comes from a file or a descriptor, not both")
        case (.some(let file), nil): return .file(file)
        case (nil, .some(let descriptor)): return .descriptor(descriptor)
        case (nil, nil):
            guard !context.options.noInput else {
                throw ClientFailure(
                    .locked, "the server's password is needed and --no-input was given",
                    hint: "--secret-file F or --secret-fd N")
            }
            return .terminal
        }
    }
}

/// `RemotePath` checks what commands take for a remote: the path of a folder, which it makes a full one, and a name.
enum RemotePath {
    /// Returns the full path of a folder, as the agent opens it from wherever it is.
    ///
    /// - Throws: `.notFound`, `.usage` for what is no folder.
    static func folder(_ place: String) throws(ClientFailure) -> String {
        let name = VisibleText.escaped(place)
        guard let resolved = unsafe realpath(place, nil) else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot open the folder \(name): \(SystemError.text(errno))",
                hint: "mkdir \(ShellWord.quoted(place))")
        }
        defer { unsafe free(resolved) }
        let path = unsafe String(cString: resolved)
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .usage("\(name) is not a folder", hint: "vault remote add folder DIR")
        }
        return path
    }

    static func name(_ name: String?) throws(ClientFailure) -> String {
        guard let name else { return "" }
        guard name.utf8.count <= 64 else { throw .tooLong(name, "name of a remote", count: name.utf8.count, max: 64) }
        return name
    }
}
