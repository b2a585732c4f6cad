// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Runners` says which code answers for which type of test.
enum Runners {
    /// A `Runner` says what our code makes of a test; a thrown error of our code is a refusal.
    typealias Runner = @Sendable (VectorTest) throws -> Verdict

    private static let all: [String: Runner] = [
        "HkdfTest": HashRunners.hkdf,
        "HkdfExpandTest": HashRunners.hkdfExpand,
        "MacTest": HashRunners.mac,
        "AeadTest": AeadRunner.aead,
        "XdhComp": ExchangeRunner.exchange,
        "AccumulatedTest": AccumulatedRunner.accumulated,
        "Argon2Test": PasswordRunners.argon2,
        "AgeTest": AgeRunner.age,
        "PhcTest": PasswordRunners.phc,
        "ChunkedEncryptionTest": ChunkedRunner.chunked,
        "ChunkedEncryption": ForeignChunkedRunner.chunked,
        "PadmeTest": PadmeRunner.padme,
        "HeaderTest": HeaderRunner.header,
        "KeyFileTest": KeyFileRunners.keyFile,
        "KeyFileKekTest": KeyFileRunners.kek,
        "WrappedVaultKeyTest": RotationRunner.wrappedKey,
        "FormerRemoteKeyTest": RotationRunner.formerRemoteKey,
        "ManifestTest": SealedRunners.manifest,
        "PinTest": PinRunner.pin,
        "PageMapTest": MapRunner.map,
        "PageMapBuildTest": MapRunner.build,
        "RecordTest": RecordRunner.record,
        "SealedRecordTest": SealedRunners.sealedRecord,
        "DraftTest": DraftRunners.draft,
        "SealedDraftTest": DraftRunners.sealedDraft,
        "WrappedDraftKeyTest": DraftRunners.wrappedKey,
        "NoteKeyslotTest": NoteKeyslotRunners.keyslot,
        "SealedNoteKeyslotTest": NoteKeyslotRunners.sealed,
        "PrivateRecordTest": PrivateRunners.record,
        "SealedPrivateRecordTest": PrivateRunners.sealedRecord,
        "PrivateDraftKeyTest": PrivateRunners.draftKey,
        "AttachmentDetailsTest": AttachmentRunners.details,
        "AttachmentRecordTest": AttachmentRunners.record,
        "SealedAttachmentRecordTest": AttachmentRunners.sealedRecord,
        "ObjectTest": ObjectRunners.object,
        "ObjectRangeTest": ObjectRunners.range,
        "ThumbnailTest": AttachmentRunners.thumbnail,
        "ArchiveTest": ArchiveRunner.archive,
        "ArchiveContentTest": ArchiveRunner.content,
        "SnapshotTest": SnapshotRunners.snapshot,
        "SnapshotListTest": SnapshotRunners.list,
        "RemoteNameTest": RemoteNameRunners.name,
        "ListedNameTest": RemoteNameRunners.listed,
        "RemoteHeaderTest": RemoteNameRunners.header,
        "PartListTest": RemoteNameRunners.parts,
        "PairingCodeTest": PairingRunner.code,
        "SealedCardTest": RemoteRunners.card,
        "SegmentTest": RemoteRunners.segment,
        "SealedSegmentTest": RemoteRunners.sealedSegment,
        "SealedSpanTest": RemoteRunners.sealedSpan,
        "VaultTest": VaultRunner.vault,
        "IndexPageTest": PageRunner.page,
        "LogFrameTest": PageRunner.page,
    ]

    static func runner(for type: String) -> Runner? { all[type] }
}
