// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// Foundation's, so that our own is not judged by itself.
func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
