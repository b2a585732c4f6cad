// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Label` says what a derived key is for: one label for each use, all of them here, so that nobody can give two uses
/// one key.
///
/// Spec: docs/format.md §3.
public enum Label: String, CaseIterable, Sendable {
    case headerMAC = "vault/v1 header mac"
    case manifest = "vault/v1 manifest"
    case indexPage = "vault/v1 index page"
    case indexLog = "vault/v1 index log"
    case record = "vault/v1 record"
    case draftKey = "vault/v1 draft key"
    case privateRecord = "vault/v1 private record"
    case noteKeyslot = "vault/v1 note keyslot"
    case attachment = "vault/v1 attachment"
    case attachmentRecord = "vault/v1 details of an attachment"
    case thumbnail = "vault/v1 thumbnail"
    /// The key of the epoch before, while a rotation runs.
    case rotation = "vault/v1 rotation"
    /// An archive's stream, under the archive's own key.
    case export = "vault/v1 export"
    /// The parts of a snapshot.
    case backup = "vault/v1 backup"
    /// The messages between devices in a remote.
    case sync = "vault/v1 sync"
    /// Names of a remote's objects.
    case remoteNames = "vault/v1 names in a remote"
    case recoveryKeyslot = "vault/v1 recovery keyslot"
    /// Not a key's: the message whose HMAC under a recovery key gives its checksum (docs/format.md §6).
    case recoveryChecksum = "vault/v1 recovery checksum"

    /// The same of a key file.
    case keyFileChecksum = "vault/v1 key file checksum"

    // Of a note key: the inner layer of a private note.
    case innerRecord = "vault/v1 inner record"
    case innerDraftKey = "vault/v1 inner draft key"
    case innerDraftFields = "vault/v1 inner draft fields"
    case innerAttachment = "vault/v1 inner attachment"
    case innerAttachmentRecord = "vault/v1 inner details"
    case innerThumbnail = "vault/v1 inner thumbnail"

    var info: [UInt8] { Array(rawValue.utf8) }
}
