// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

extension VaultError {
    /// From errno, after a call that was to write.
    static func writing(_ number: Int32) -> VaultError {
        switch number {
        case ENOSPC, EROFS, EDQUOT, EACCES: VaultError(.readOnly, systemError: number)
        // Nothing is wrong with the disk: another try may succeed.
        case EMFILE, ENFILE, ENOMEM: VaultError(.system, systemError: number)
        default: VaultError(.saveFailed, systemError: number)
        }
    }

    /// From errno, after a call that was to open or to read. It is never damage: nobody has seen the bytes.
    ///
    /// - Parameter otherwise: what every other number means.
    static func reading(_ number: Int32, otherwise: Code) -> VaultError {
        [EMFILE, ENFILE, ENOMEM, EINVAL, EROFS, EIO, EDQUOT, ENOSPC].contains(number)
            ? VaultError(.system, systemError: number) : VaultError(otherwise)
    }
}
