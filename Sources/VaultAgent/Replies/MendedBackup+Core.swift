// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension MendedBackup {
    /// - Parameter archive: its name, where it is one.
    init(_ mended: ParityMend.Mended, archive: String) {
        self.init()
        (parityFiles, checkedFiles, checkedByteCount) = (
            mended.parityFiles, mended.checkedFiles, mended.checkedByteCount
        )
        self.mended = mended.mended.map { File($0, archive: archive) }
        lost = mended.lost.map { File($0, archive: archive) }
        (mendedParity, lostParity, uncovered) = (mended.mendedParity, mended.lostParity, mended.uncovered)
    }
}

extension MendedBackup.File {
    fileprivate init(_ file: ParityMend.Mended.File, archive: String) {
        self.init()
        (path, damagedBlocks, wasMissing) = (file.name.path ?? archive, file.damagedBlocks, file.wasMissing)
    }
}
