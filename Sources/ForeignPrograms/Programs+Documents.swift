// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ForeignProgram {
    /// Documents.
    static let documents: [ForeignProgram] = [
        ForeignProgram(
            "docx", "a document of Word or Google Docs (.docx)",
            .entries(["[content_types].xml", "word/*"]),
            do:
                "mkdir notes && pandoc -f docx -t gfm --extract-media notes -o notes/NOTE.md FILE.docx && vault import markdown notes"
        ),
        ForeignProgram(
            "xlsx", "a sheet of Excel or Google Sheets (.xlsx)",
            .entries(["[content_types].xml", "xl/*"]),
            do:
                "save it as .csv, then mkdir notes && mlr --icsv --omd cat FILE.csv > notes/table.md && vault import markdown notes"
        ),
        ForeignProgram(
            "pptx", "slides of PowerPoint or Google Slides (.pptx)",
            .entries(["[content_types].xml", "ppt/*"]),
            do: "vault new --attach FILE.pptx keeps them"),
        ForeignProgram(
            "epub", "a book (.epub)",
            .any([
                .entries(["meta-inf/container.xml"]), .all([.zip, .magic(Array("application/epub+zip".utf8), at: 38)]),
            ]),
            do:
                "mkdir notes && pandoc -f epub -t gfm --extract-media notes -o notes/NOTE.md FILE.epub && vault import markdown notes"
        ),
        ForeignProgram(
            "odt", "a document of LibreOffice or Google Docs (.odt)",
            .all([.zip, .magic(Array("application/vnd.oasis.opendocument".utf8), at: 38)]),
            do:
                "mkdir notes && pandoc -f odt -t gfm --extract-media notes -o notes/NOTE.md FILE.odt && vault import markdown notes"
        ),
        ForeignProgram(
            "doc", "a document of an old Office (.doc)",
            .magic([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], at: 0),
            do:
                "soffice --headless --convert-to docx FILE.doc && mkdir notes && pandoc -f docx -t gfm --extract-media notes -o notes/NOTE.md FILE.docx && vault import markdown notes"
        ),
        ForeignProgram(
            "rtf", "a document in RTF",
            .start(["{\\rtf"]),
            do:
                "mkdir notes && pandoc -f rtf -t gfm --extract-media notes -o notes/NOTE.md FILE.rtf && vault import markdown notes"
        ),
        ForeignProgram(
            "pdf", "a PDF",
            .start(["%PDF-"]),
            do:
                "vault new --attach FILE.pdf keeps it; its text: mkdir notes && pdftotext -layout FILE.pdf notes/FILE.txt && vault import markdown notes"
        ),
        ForeignProgram(
            "latex", "a text in LaTeX",
            .all([.start(["\\documentclass", "%"]), .text(["\\begin{document}"])]),
            do: "mkdir notes && pandoc -f latex -t gfm -o notes/NOTE.md FILE.tex && vault import markdown notes"),
        ForeignProgram(
            "ipynb", "a notebook of Jupyter",
            .json(["nbformat", "cells"]),
            do:
                "mkdir notes && pandoc -f ipynb -t gfm --extract-media notes -o notes/NOTE.md FILE.ipynb && vault import markdown notes"
        ),
        ForeignProgram(
            "takeout", "a Takeout of Google",
            .entries(["takeout/*"]),
            do: "unpack it, then vault import auto on the folder of one program in it, such as Takeout/Keep"),
    ]

    /// What many programs write, last: a format that the user names is tried anyway.
    public static let plainForms: [ForeignProgram] = [
        ForeignProgram(
            "sqlite", "a database of SQLite of a program that is not known here",
            .sqlite([]),
            do:
                "look for an export in the program that it belongs to, as Markdown or text; its tables: sqlite3 FILE .schema; a table as a note: mkdir notes && sqlite3 -markdown FILE 'SELECT * FROM TABLE' > notes/table.md && vault import markdown notes",
            yields: true),
        ForeignProgram(
            "html", "a web page",
            .html([]),
            do: Advice.pandoc("html", "html"), yields: true),
        ForeignProgram(
            "zip", "a zip archive of a program that is not known here",
            .zip,
            do: "unzip FILE.zip -d notes && vault import auto notes", yields: true),
        ForeignProgram(
            "html-folder", "a folder of web pages",
            .entries(["*.html"]),
            do: Advice.pandoc("html", "html"), yields: true),
        ForeignProgram(
            "json", "JSON of a program that is not known here",
            .all([.start(["{", "["]), .text(["\":"])]),
            do:
                "look for an export as Markdown or text in the program that it belongs to; each text as a note: jq -r '.. | strings' FILE.json > notes.txt && vault new --title Export - < notes.txt",
            yields: true),
        ForeignProgram(
            "csv", "a table (CSV)",
            .all([.any([.name("*.csv"), .name("*.tsv")]), .text([])]),
            do: Advice.table, yields: true),
        ForeignProgram(
            "xml", "XML of a program that is not known here",
            .start(["<?xml"]),
            do:
                "look for an export as Markdown, text or HTML in the program that it belongs to; the file itself: vault new --attach FILE.xml",
            yields: true),
        ForeignProgram(
            "markdown-file", "one text or Markdown file",
            .any([.name("*.md"), .name("*.markdown"), .name("*.txt")]),
            do: "vault new - < FILE makes a note of it; a folder of them: vault import markdown FOLDER", yields: true),
        ForeignProgram(
            "text-folder", "a folder of text files",
            .entries(["*.txt"]),
            do: "vault import markdown FOLDER", yields: true),
        ForeignProgram(
            "compressed", "a packed archive",
            .any([
                .magic([0x1F, 0x8B, 8], at: 0), .magic([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], at: 0),
                .magic([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], at: 0), .magic([0x28, 0xB5, 0x2F, 0xFD], at: 0),
                .magic(Array("ustar".utf8), at: 257),
            ]),
            do: "unpack it (mkdir notes && bsdtar -x -C notes -f FILE), then vault import auto notes", yields: true),
    ]
}
