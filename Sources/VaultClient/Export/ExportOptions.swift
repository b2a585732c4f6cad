// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// What `export` is told.
public struct ExportOptions: Sendable, Equatable {
    public var query: [String] = []
    /// A new file or folder; "-" is standard output.
    public var output = ""
    public var recipients: [String] = []
    /// Files with a recipient on each line.
    public var recipientsFiles: [String] = []
    public var usesPassphrase = false
    public var passphraseFile: String?
    public var passphraseDescriptor: Int32?
    public var isArmored = false
    /// Whether it was agreed to that it is in the clear.
    public var plaintext = false
    public var includesTrash = false
    public var includesHistory = true
    public init() {}

    var wantsPassphrase: Bool { usesPassphrase || passphraseFile != nil || passphraseDescriptor != nil }
    var isSealed: Bool { wantsPassphrase || !recipients.isEmpty || !recipientsFiles.isEmpty }

    /// What does not go together.
    func check(json: Bool) throws(ClientFailure) {
        guard !output.isEmpty else { throw .usage("an export needs a target", hint: "-o PATH, or -o - for standard output") }
        guard !(wantsPassphrase && !(recipients.isEmpty && recipientsFiles.isEmpty)) else {
            throw .usage("an age file has recipients or a passphrase, not both", hint: "--encrypt-to age1… or --passphrase")
        }
        guard passphraseFile == nil || passphraseDescriptor == nil else {
            throw .usage("the passphrase comes from a file or a descriptor, not both", hint: "--passphrase-file F or --passphrase-fd N")
        }
        guard isSealed || !isArmored else { throw .usage("--armor needs --encrypt-to or --passphrase", hint: "vault export --help") }
        guard !(isSealed && plaintext) else { throw .usage("--plaintext means that nothing is encrypted", hint: "leave it out") }
        guard !(json && output == "-") else { throw .usage("--json and -o - both write to standard output", hint: "-o PATH") }
    }

    /// For whom it is sealed. Recipients are read here and judged by the agent.
    func sealing() throws(ClientFailure) -> ExportNotes.Sealing {
        guard isSealed, !wantsPassphrase else { return wantsPassphrase ? .passphrase : .none }
        var all = recipients
        for path in recipientsFiles { all += try RecipientsFile.read(path) }
        guard all.count <= ExportNotes.recipientCountMax else {
            throw .usage("more than \(ExportNotes.recipientCountMax) recipients for one age file", hint: "write a second file for the others")
        }
        guard all.allSatisfy({ $0.utf8.count <= 4096 }) else { throw .usage("a recipient is longer than 4 KiB", hint: "give age1… keys") }
        return .recipients(all)
    }

    /// The passphrase, typed twice, or read once from where it was said.
    func passphrase(_ context: Context) throws(ClientFailure) -> SecretBytes {
        let source: PasswordSource
        if let passphraseFile {
            source = .file(passphraseFile)
        } else if let passphraseDescriptor {
            source = .descriptor(passphraseDescriptor)
        } else {
            guard !context.options.noInput else {
                throw ClientFailure(
                    .locked, "a passphrase is needed and --no-input was given", hint: "--passphrase-file F or --passphrase-fd N")
            }
            source = .terminal
        }
        return try NewPassword.get(source, prompt: "Passphrase of the export: ")
    }
}
