// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// `StoreEntries` says which files of a password store are its entries.
public enum StoreEntries {
    /// Of pass, and of passage, which keeps its entries under age.
    private static let endings = [".gpg", ".age"]
    static let endingByteCount = 4

    /// Returns whether a file of the store is an entry, by the ending of its path.
    public static func isEntry(_ path: [UInt8]) -> Bool { endings.contains { isEntry(path, endingWith: $0) } }

    private static func isEntry(_ path: [UInt8], endingWith ending: String) -> Bool {
        path.count > endingByteCount && path.suffix(endingByteCount).elementsEqual(ending.utf8)
    }

    /// Returns what opens the entries of a store.
    static func decryptions(_ entries: [[UInt8]], _ gpg: GPGProgram?, _ opener: AgeOpener?) throws(ClientFailure)
        -> [String: Decryption]
    {
        var found: [String: Decryption] = [:]
        if entries.contains(where: { isEntry($0, endingWith: ".gpg") }) {
            guard let gpg else {
                throw ClientFailure(
                    .other, "gpg is not installed, and the store needs it", hint: "sudo apt install gnupg")
            }
            found[".gpg"] = .gpg(gpg)
        }
        if entries.contains(where: { isEntry($0, endingWith: ".age") }) {
            guard let opener else {
                throw .usage("the store is encrypted with age", hint: "--identity ~/.passage/identities")
            }
            found[".age"] = .age(opener)
        }
        return found
    }
}

/// `Decryption` says how the files of a source are opened on their way to the parser.
enum Decryption {
    case gpg(GPGProgram)
    case age(AgeOpener)

    /// Starts a process that decrypts `input` to `output`, and returns its ID.
    ///
    /// - Parameter input: the file, at its beginning.
    func start(input: Int32, output: Int32) throws(ClientFailure) -> pid_t {
        switch self {
        case .gpg(let program):
            try ChildProgram.start(
                program.path, ["--batch", "--quiet", "--decrypt"], environment: program.environment, input: input,
                output: output)
        case .age(let opener): try opener.start(input: input, output: output)
        }
    }
}

/// `GPGProgram` is the gpg of the person's own choice, for stores of pass.
public struct GPGProgram: Sendable {
    /// Its full path.
    public var path: String
    /// `NAME=value`, all that it gets. It asks for its passphrase on the terminal that `GPG_TTY` names.
    public var environment: [String]

    public init(path: String, environment: [String]) {
        self.path = path
        self.environment = environment
    }
}
