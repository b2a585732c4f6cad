// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CMarkdown
internal import Glibc
public import ParserProtocol

/// `MarkdownHTML` renders Markdown with cmark-gfm: CommonMark with GitHub's tables, strikethrough, task lists, bare
/// links and footnotes.
///
/// It runs confined (docs/decisions/0023). Raw HTML is shown as text. Links lead to the web or to a mail program;
/// others stay as they were written (ThreatModel H11).
public enum MarkdownHTML {
    private static let options = CMARK_OPT_FOOTNOTES | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE | CMARK_OPT_HARDBREAKS

    /// Registers the extensions, which the library wants once.
    public static func prepare() -> Bool {
        cmark_gfm_core_extensions_ensure_registered()
        return true
    }

    /// Returns a parser with all extensions; nil when there is no memory for one. The caller frees it.
    static func parser() -> OpaquePointer? {
        guard prepare(), let parser = unsafe cmark_parser_new(options) else { return nil }
        for name in ["table", "strikethrough", "autolink", "tasklist"] {
            guard let found = unsafe cmark_find_syntax_extension(name) else {
                unsafe cmark_parser_free(parser)
                return nil
            }
            unsafe cmark_parser_attach_syntax_extension(parser, found)
        }
        return unsafe parser
    }

    /// Returns a text's tree; nil when there is no memory for one. The caller frees it.
    static func document(_ text: String, _ parser: OpaquePointer) -> OpaquePointer? {
        var text = text
        text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe cmark_parser_feed(parser, bytes.baseAddress, bytes.count)
            }
        }
        return unsafe cmark_parser_finish(parser)
    }

    /// Renders a note.
    ///
    /// - Returns: nil when the library has no memory for a parser.
    public static func render(_ page: MarkdownPage) -> [HTMLPiece]? {
        guard let parser = unsafe parser() else { return nil }
        defer { unsafe cmark_parser_free(parser) }
        guard let root = unsafe document(page.body, parser) else { return nil }
        defer { unsafe cmark_node_free(root) }
        var tree = unsafe MarkdownTree(root, page)
        unsafe tree.prepareForHTML()
        guard let text = unsafe cmark_render_html(root, options, cmark_parser_get_syntax_extensions(parser)) else {
            return nil
        }
        defer { unsafe free(text) }
        let html = unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        return RenderedHTML(html, page).pieces(unsafe tree.found)
    }
}
