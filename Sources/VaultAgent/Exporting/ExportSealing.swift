// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ForeignCrypto
internal import SealedObjects
internal import SecretMemory

/// `ExportSealing` says for whom an export is sealed as an age file. Made before anything is read: who mistyped a key
/// hears of it at once.
enum ExportSealing: Sendable {
    case none
    case recipients([AgeRecipient])
    case passphrase(AgePassphrase)

    /// `Refusal` says why there is no sealing.
    struct Refusal: Error { let outcome: Outcome }

    static func make(_ sealing: ExportNotes.Sealing, passphrase: consuming SecretBytes?) throws(Refusal)
        -> ExportSealing
    {
        switch sealing {
        case .none: return .none
        case .recipients(let texts): return .recipients(try parse(texts))
        case .passphrase:
            guard let secret = passphrase else {
                throw Refusal(outcome: Outcome(.usage, "this request needs a passphrase"))
            }
            do throws(AgeError) { return .passphrase(try AgePassphrase(secret)) } catch {
                throw Refusal(outcome: Outcome(.usage, "the passphrase is empty", hint: "vault export --help"))
            }
        }
    }

    /// Begins the age file; a passphrase takes about a second.
    func writer(armored: Bool, to stream: ExportStream) throws(AgeError) -> AgeWriter? {
        let sink: AgeWriter.Sink = { bytes throws(AgeError) in
            do throws(ObjectError) { try unsafe stream.write(bytes) } catch {
                throw AgeError(.inputOutput, systemError: error.systemError)
            }
        }
        switch self {
        case .none: return nil
        case .recipients(let recipients):
            return try unsafe AgeWriter(recipients: recipients, armored: armored, sink: sink)
        case .passphrase(let passphrase):
            return try unsafe AgeWriter(passphrase: passphrase, armored: armored, sink: sink)
        }
    }

    /// Encrypts a text to the owners of some keys.
    ///
    /// - Returns: an age file as text (armour).
    static func sealed(_ text: String, for recipients: [String]) throws(Refusal) -> String {
        let keys = try parse(recipients)
        var sealed: [UInt8] = []
        do throws(AgeError) {
            let writer = try unsafe AgeWriter(recipients: keys, armored: true) { unsafe sealed += $0 }
            try writer.write(Array(text.utf8))
            try writer.finish()
        } catch {
            throw Refusal(
                outcome: Outcome(
                    .failSafe, "a cryptographic library does not work as specified", hint: "vault-audit vectors"))
        }
        return String(decoding: sealed, as: UTF8.self)
    }

    private static func parse(_ texts: [String]) throws(Refusal) -> [AgeRecipient] {
        guard !texts.isEmpty, texts.count <= ExportNotes.recipientCountMax else {
            throw Refusal(outcome: Outcome(.usage, "an age file has 1 to \(ExportNotes.recipientCountMax) recipients"))
        }
        var recipients: [AgeRecipient] = []
        for (number, text) in texts.enumerated() {
            do throws(AgeError) { recipients.append(try AgeRecipient(parsing: text)) } catch {
                throw Refusal(outcome: refusal(text, number: number + 1, error))
            }
        }
        return recipients
    }

    /// Returns what to answer to a recipient that is refused. A recipient is no secret, but what was given in its place
    /// may be one: it is never repeated.
    private static func refusal(_ text: String, number: Int, _ error: AgeError) -> Outcome {
        let which = "recipient \(number)"
        if text.uppercased().hasPrefix("AGE-SECRET-KEY-") {
            return Outcome(
                .usage, "\(which) is a secret key: anyone who has it can read your files",
                hint: "age-keygen -y prints the public key to give")
        }
        switch error.code {
        case .unsupported:
            return Outcome(
                .usage,
                "\(which) is of a kind that is not supported: only X25519 keys are, not ssh, plugin or post-quantum ones",
                hint: "age-keygen makes one that begins with age1 and has 62 characters")
        case .badKey where !text.hasPrefix("age1"):
            return Outcome(
                .usage, "\(which) does not begin with age1", hint: "age-keygen -y prints the public key to give")
        case .badKey:
            return Outcome(
                .usage, "\(which) is mistyped: its checksum is wrong",
                hint: "it has 62 lower-case characters; copy it whole")
        default:
            return Outcome(.failSafe, "a cryptographic library does not work as specified", hint: "vault-audit vectors")
        }
    }
}
