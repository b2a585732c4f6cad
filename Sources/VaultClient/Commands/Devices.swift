// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `DeviceGroup` is the heading `vault device`.
enum DeviceGroup: CommandGroup {
    static let name = "device"
    static var spec: Spec {
        Spec(
            "See and manage the vault's devices.",
            discussion: """
                A device is one computer's vault, or a restored copy of it. Each publishes its name once it has \
                a remote. A remote keeps what a device has not read yet, for as long as it takes. If a device was sold \
                or reinstalled, use 'vault device retire'; if it was lost or stolen, lock it out with \
                'vault device revoke'. To add a device, use 'vault clone' with a code from 'vault device pair'.
                """,
            examples: [
                "vault device ls": "See the devices, and when each was last heard from.",
                "vault device rename desk": "Call this device 'desk'.",
                "vault device revoke laptop": "Lock out a device that was stolen.",
            ])
    }
    static var commands: CommandList {
        [
            DeviceListCommand.self, DevicePairCommand.self, DeviceRenameCommand.self, DeviceRetireCommand.self,
            DeviceRevokeCommand.self,
        ]
    }
}

struct DeviceListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List the devices: names, when last heard from, and how far they have read.",
            discussion: """
                The time of last contact is by the device's own clock. One that was silent for 180 days is called \
                dormant. Asks no remote.
                """,
            examples: ["vault device ls": "See which devices there are, this one first."])
    }

    mutating func declare(_ list: inout ArgumentList) {}

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ListDevices()) }
}

struct DeviceRenameCommand: Command {
    static let name = "rename"
    static var spec: Spec {
        Spec(
            "Rename a device. All devices learn the new name.",
            examples: [
                "vault device rename desk": "Call this device 'desk'.",
                "vault device rename laptop old-laptop": "Rename another device.",
            ])
    }
    var device = ""
    var name: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&device, "device", "The device, by its name or last characters; left out for this one.")
        list.word(&name, "name", "Its new name.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // One word is the new name of this device.
        let request = name.map { RenameDevice(ref: device, name: $0) } ?? RenameDevice(ref: "", name: device)
        for word in [request.ref, request.name] where word.utf8.count > 256 {
            throw .tooLong(word, "name of a device", count: word.utf8.count, max: 256)
        }
        return try context.send(request)
    }
}

struct DeviceRetireCommand: Command {
    static let name = "retire"
    static var spec: Spec {
        Spec(
            "Retire a device: remotes stop keeping what it has not read.",
            discussion: """
                Nothing is removed from the device, and it is not locked out: it can read and write with the password \
                that it knows. If it comes back, it continues as a new device. If it was lost or stolen, lock \
                it out with 'vault device revoke'.
                """,
            examples: [
                "vault device retire old-laptop": "Retire a device that was sold, after confirmation.",
                "vault device retire 4f5e6d --yes": "The same by its last characters, in a script.",
            ])
    }
    var device = ""
    var yes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&device, "device", "The device, by its name or last characters.")
        list.flag(&yes, "yes", "Do not ask.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard device.utf8.count <= 256 else {
            throw .tooLong(device, "name of a device", count: device.utf8.count, max: 256)
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            if !yes {
                try Confirmation.require(
                    "Retire the device '\(VisibleText.escaped(device))'? Remotes then keep no data for it.",
                    refused: "nothing was changed",
                    hint: "vault device retire \(ShellWord.quoted(device)) --yes", context)
            }
            return try conversation.perform(RetireDevice(ref: device))
        }
    }
}
