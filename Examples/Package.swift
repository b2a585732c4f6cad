// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import PackageDescription

let package = Package(
    name: "examples",
    dependencies: [.package(name: "vault", path: "..")],
    targets: [
        .executableTarget(name: "library", dependencies: [.product(name: "VaultCore", package: "vault")]),
        .executableTarget(
            name: "notes",
            dependencies: [
                .product(name: "AgentClient", package: "vault"), .product(name: "NoteNetwork", package: "vault"),
            ]),
    ]
)
