// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import VaultFormat

/// `RecordCommand` runs `vault attach record`: it takes sound from the microphone straight into the vault, so that the
/// sound never lies on a disk.
enum RecordCommand {
    static func run(_ note: String, name: String?, caption: String?, seconds: UInt32?, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        let (program, arguments) = try recorder(seconds: seconds)
        return try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NameCheck.short(note, "ID")
            let recording = try Producer(program, arguments)
            context.reporter.talk(
                seconds == nil ? "recording; Ctrl-C ends it" : "recording for \(seconds ?? 0) seconds")
            var file = AddedFile(name: name ?? "recording.wav", kind: .audio, mediaType: "audio/wav")
            file.caption = caption ?? ""
            // Ctrl-C reaches the recorder too, which ends its file properly; the agent reads to the end.
            conversation.ignoresInterrupts = true
            let outcome = try conversation.perform(PutAttachment(ref: ref, file: file), descriptor: recording.output)
            conversation.ignoresInterrupts = false
            let code = recording.finish()
            guard outcome.code == .ok else { return outcome }
            guard code == 0 || code == -SIGINT || code == 1 else {
                _ = try conversation.perform(DropAttachments(count: 1))
                throw ClientFailure(
                    .other, "\(ProgramPath.lastName(program)) could not record",
                    hint: "is there a microphone? try it by hand")
            }
            return try conversation.perform(CommitAttachments(ref: ref))
        }
    }

    private static func recorder(seconds: UInt32?) throws(ClientFailure) -> (String, [String]) {
        if let program = ProgramPath.find("arecord") {
            return (program, ["-q", "-t", "wav", "-f", "cd"] + (seconds.map { ["-d", String($0)] } ?? []) + ["-"])
        }
        if let program = ProgramPath.find("pw-record") {
            return (program, ["--format", "s16", "--rate", "44100", "--channels", "1", "-"])
        }
        throw ClientFailure(
            .notFound, "neither arecord nor pw-record is installed", hint: "apt install alsa-utils, or pipewire")
    }
}
