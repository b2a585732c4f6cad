// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// A `MarkdownRenderer` renders a note's Markdown; nil when that did not work.
public typealias MarkdownRenderer = (MarkdownPage) -> [HTMLPiece]?

/// `HTMLExport` writes notes as one HTML page that needs nothing else: no scripts, no resources from elsewhere, all
/// text escaped (ThreatModel H11).
///
/// A content security policy says the same to the browser: should an escape ever be wrong, still nothing runs and
/// nothing is fetched.
public final class HTMLExport: NoteExport {
    /// Attachments up to this size, in bytes, are embedded in the page.
    public static let attachmentByteCountMax: UInt64 = 8 << 20

    private static let head = """
        <!DOCTYPE html>
        <html><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
        base-uri 'none'; form-action 'none'">
        <meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
        <title>Notes</title>
        <style>body{max-width:48em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif}article{border-top:1px solid #999;margin-top:3em}\
        pre{overflow:auto;background:#f3f3f3;padding:.7em}pre.text{white-space:pre-wrap}img{max-width:100%}.facts,.attachments,.footnotes\
        {color:#555;font-size:85%}blockquote{border-left:3px solid #999;margin-left:0;padding-left:1em}table{border-collapse:collapse}\
        th,td{border:1px solid #999;padding:.2em .6em}</style></head><body>

        """

    private let output: ByteOutput
    private let content: AttachmentContent
    private let render: MarkdownRenderer
    private let attachmentByteCountMax: UInt64
    private var losses = LossCounter()

    /// Begins a page and writes its head.
    ///
    /// - Parameters:
    ///   - attachmentByteCountMax: larger attachments are only named.
    ///   - render: its output is trusted no further than the page's content security policy.
    public init(
        to sink: @escaping ByteSink, attachmentByteCountMax: UInt64 = HTMLExport.attachmentByteCountMax,
        render: @escaping MarkdownRenderer, content: @escaping AttachmentContent
    ) throws {
        output = ByteOutput(sink)
        self.content = content
        self.render = render
        self.attachmentByteCountMax = attachmentByteCountMax
        try output.write(Self.head)
    }

    public func leaveOut(privateNotes count: Int) { losses.add(.privateNotes, count) }

    public func add(_ note: ExportedNote) throws {
        try Identifier.check(note)
        losses.addCommon(note)
        losses.add(.sources, note.source == nil ? 0 : 1)
        losses.add(.noteLinks, note.mayLinkToNotes ? 1 : 0)
        let attachments = HTMLAttachments(note, byteCountMax: attachmentByteCountMax, content: content)
        let title = note.title.isEmpty ? "Untitled" : OneLine.text(note.title)
        try output.write("<article id=\"n-\(note.id)\"><h2>\(HTMLText.escaped(title))</h2>\n")
        try output.write("<p class=\"facts\">\(HTMLText.escaped(facts(of: note)))</p>\n")
        try writeBody(of: note, attachments)
        try attachments.writeList(in: output)
        losses.add(.attachmentContents, attachments.leftOutCount)
        try output.write("</article>\n")
    }

    private func writeBody(of note: ExportedNote, _ attachments: HTMLAttachments) throws {
        var (places, originals): ([Int], [String]) = ([], [])
        let nonce = MarkdownPage.newNonce()
        let text = AttachmentReferences(note.attachments).rewrite(note.body) { place, original in
            places.append(place)
            originals.append(String(decoding: original, as: UTF8.self))
            return Array(MarkdownPage.mark(of: places.count - 1, nonce).utf8)
        }
        let body = String(decoding: text.bytes, as: UTF8.self)
        // What comes back is written only when it is what a text can become: the process that renders reads texts of
        // others.
        guard let page = MarkdownPage(name: note.id, nonce: nonce, references: originals, body: body),
            let pieces = render(page),
            HTMLCheck(name: note.id).allows(pieces)
        else {
            losses.add(.unrendered)
            return try output.write(Self.asTyped(note.body))
        }
        for piece in pieces {
            switch piece {
            case .html(let html): try output.write(html)
            case .reference(let number, let isPicture, let label):
                guard places.indices.contains(number) else { continue }
                try attachments.show(places[number], words: label, isPicture: isPicture, in: output)
            }
        }
        if !RenderedWords(pieces, originals).hold(note.body) {
            losses.add(.unshownText)
            try output.write("<details><summary>Text as it was typed</summary>\n\(Self.asTyped(note.body))</details>\n")
        }
    }

    public func finish() throws -> [ExportLoss] {
        try output.write("</body></html>\n")
        try output.flush()
        return losses.list
    }

    private static func asTyped(_ text: String) -> String { "<pre class=\"text\">\(HTMLText.escaped(text))</pre>\n" }

    private func facts(of note: ExportedNote) -> String {
        let tags = note.tags.map { "#" + OneLine.text($0) }.joined(separator: " ")
        let facts = [
            "created \(RFC3339.text(note.created))", "updated \(RFC3339.text(note.modified))", note.notebook, tags,
        ]
        let place = note.bookPlace.map { [$0.title, $0.chapter ?? ""].map(OneLine.text) } ?? []
        return (facts + place + note.flagWords).filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
