// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import VaultFormat

struct DevicePairCommand: Command {
    static let name = "pair"
    static var spec: Spec {
        Spec(
            "Show a pairing code, so that a new device can verify the remote.",
            discussion: """
                Reads and sends everything first. The code says which vault it is, where the remote is, and what is \
                there now: 'vault clone --code' refuses another vault, and an older state of this one. It is not a \
                secret and opens nothing: the new device asks for the vault's password too. It serves any number of \
                new devices until the vault's key is changed. A terminal shows it as a QR code as well.
                """,
            examples: [
                "vault device pair": "Show the code of this vault's remote.",
                "vault device pair > code": "Write it to a file, for vault clone --code-file.",
            ])
    }
    var name: String?
    var showsPicture = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; the only one by default.")
        list.flag(&showsPicture, "qr", "Show the QR code, or say why it cannot be shown.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard !showsPicture || !context.options.json else {
            throw .usage("a QR code cannot be printed as JSON", hint: "leave out --qr or --json")
        }
        guard !showsPicture || Terminal.isOutput && Terminal.canDraw else {
            throw .usage("a QR code is shown on a terminal", hint: "vault device pair > FILE writes the letters")
        }
        let request = PairDevice(name: try RemotePath.name(name))
        return try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, replies) = try conversation.ask(request)
            guard outcome.code == .ok else { return outcome }
            if let reply = replies.first { try draw(reply, context) }
            try conversation.show(replies, of: request)
            return outcome
        }
    }

    private func draw(_ reply: PairedState, _ context: Context) throws(ClientFailure) {
        let isWanted = showsPicture || Terminal.isOutput && context.style.color
        guard isWanted, !context.options.json, let code = try? PairingCode(parsing: reply.code) else { return }
        let letters = Array(PairingText.groups(of: code).joined().uppercased().utf8)
        let columns = context.style.columns
        do throws(ClientFailure) {
            let picture = try QRPicture.made(of: letters)
            guard QRPicture.columns(picture) <= columns else {
                throw ClientFailure(
                    .other, "the QR code needs a terminal of \(QRPicture.columns(picture)) columns",
                    hint: "make the window larger, or type the letters")
            }
            try Streams.write(QRPicture.drawn(picture) + [0x0A])
        } catch {
            // The letters say the same.
            if showsPicture { throw error }
        }
    }
}
