// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// A user of the library imports it alone: its own functions take and give these modules' values.
@_exported public import SecretMemory
@_exported public import VaultCrypto
@_exported public import VaultFormat
