// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Which key an `AESGCM` holds, and for which direction. Each key that is put into a context gets a number of its own,
/// so that nobody who shares the context goes on under the key of another.
package struct HeldKey: Equatable {
    let number: UInt64
    let isEncrypting: Bool
}
