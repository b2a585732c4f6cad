// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Takes bytes in pieces. A span cannot outlive the call, so no writer keeps what it was lent.
public typealias ByteSink = (Span<UInt8>) throws -> Void

/// Gives all bytes of an attachment to a sink, in order and in pieces of any size.
public typealias AttachmentContent = (_ id: String, _ sink: ByteSink) throws -> Void
