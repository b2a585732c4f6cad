// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Why there is no picture.
enum PictureFailure: Error {
    case damaged
    case tooLarge

    var record: PictureRecord {
        switch self {
        case .damaged: .damaged
        case .tooLarge: .tooLarge
        }
    }
}
