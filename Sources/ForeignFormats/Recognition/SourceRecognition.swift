// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignPrograms
public import ForeignRecords

/// Finds out what a file or folder is an export of, by content first, then by names.
public enum SourceRecognition {
    /// Whatever the question holds, there is an answer.
    public static func answer(to question: SourceQuestion) -> SourceAnswer {
        let view = SourceView(question)
        var answer = SourceAnswer(
            formats: OwnFormats.formats(of: view).map(\.rawValue).sorted(),
            encrypted: OwnFormats.encrypted(view).map(\.rawValue).sorted())
        // A source of ours is never another program's, but for those that write Markdown: they are only named.
        guard answer.formats.isEmpty || answer.formats == [ContainerFormat.markdown.rawValue] else { return answer }
        answer.program =
            ForeignProgram.all.first { program in
                (answer.formats.isEmpty || answer.formats == program.format.map { [$0] }) && program.shape.fits(view)
            }?.id
        return answer
    }
}
