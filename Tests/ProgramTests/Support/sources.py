#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Makes sources in the shape of what other programs write, and prints them as a JSON list of {id, path}.

    sources.py FOLDER

All content is made up; what is real are names of files, keys, columns, tables and magic numbers.
"""
import json, pathlib, sqlite3, sys, zipfile

OUT, MADE = pathlib.Path(sys.argv[1]), []
ID32, UUID = "0123456789abcdef" * 2, "0f2c9a1e-3b4d-4c5e-8f60-718293a4b5c6"

def place(name):
    folder = OUT / f"{len(MADE):03}"
    folder.mkdir(parents=True)
    return folder / name

def made(kind, path): MADE.append(dict(id=kind, path=str(path)))

def file(kind, name, content):
    path = place(name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    made(kind, path)

def data(kind, name, value, **form): file(kind, name, json.dumps(value, **form))

def archive(kind, name, entries, packed=zipfile.ZIP_DEFLATED):
    path = place(name)
    with zipfile.ZipFile(path, "w", packed) as zipped:
        for entry in entries:
            inner, content = entry if isinstance(entry, tuple) else (entry, "made up\n" * 20)
            zipped.writestr(inner, content)
    made(kind, path)

def folder(kind, name, entries):
    path = place(name)
    for entry in entries:
        inner, content = entry if isinstance(entry, tuple) else (entry, "made up\n")
        target = path / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    made(kind, path)

def database(kind, name, *statements):
    path = place(name)
    with sqlite3.connect(path) as connection:
        for statement in statements: connection.execute(statement)
    connection.close()
    made(kind, path)

def table(kind, name, columns, row=None, separator=","):
    file(kind, name, separator.join(columns) + "\n" + separator.join(row or ["made up"] * len(columns)) + "\n")

def html(head, body="<p>Made up</p>"): return f"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">{head}</head><body>{body}</body></html>\n"

def passwords():
    data("bitwarden-encrypted", "bitwarden_encrypted.json", dict(encrypted=True, passwordProtected=True, salt="x", kdfType=0, encKeyValidation_DO_NOT_EDIT="2.x", data="2.y"))
    data("bitwarden", "bitwarden_export.json", dict(encrypted=False, folders=[dict(id=UUID, name="Home")], items=[dict(id=UUID, type=2, name="A note", notes="text", secureNote=dict(type=0))]))
    table("bitwarden", "bitwarden.csv", "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp".split(","))
    file("keepass", "Passwords.kdbx", bytes.fromhex("03d9a29a67fb4bb5") + bytes(range(200)))
    file("keepass1", "Passwords.kdb", bytes.fromhex("03d9a29a65fb4bb5") + bytes(range(200)))
    file("keepass-xml", "export.xml", '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<KeePassFile>\n<Meta><Generator>KeePass</Generator></Meta><Root/></KeePassFile>\n')
    table("keepass-csv", "keepassxc.csv", ['"Group"', '"Title"', '"Username"', '"Password"', '"URL"', '"Notes"', '"TOTP"', '"Icon"', '"Last Modified"', '"Created"'])
    table("keepass-csv", "keepass.csv", ['"Account"', '"Login Name"', '"Password"', '"Web Site"', '"Comments"'])
    archive("1password", "1PasswordExport.1pux", ["export.attributes", "export.data", "files/a___b.txt"])
    file("1password", "data.1pif", '{"uuid":"A1","typeName":"securenotes.SecureNote","title":"A"}\n***5642bee8-a5ff-11dc-8314-0800200c9a66***\n')
    table("1password", "1password.csv", "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes".split(","))
    table("lastpass", "lastpass.csv", "url,username,password,totp,extra,name,grouping,fav".split(","))
    table("dashlane", "credentials.csv", "username,username2,username3,title,password,note,url,category,otpSecret".split(","))
    archive("dashlane", "dashlane-credential-export.zip", ["credentials.csv", "ids.csv", "payments.csv", "personalInfo.csv", "securenotes.csv"])
    data("enpass", "enpass.json", dict(folders=[], items=[dict(archived=0, auto_submit=1, category="note", title="A", template_type="note.default", note="text")]), indent=2)
    archive("proton-pass", "Proton Pass_export.zip", ["Proton Pass/data.json"])
    table("proton-pass", "protonpass.csv", "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault".split(","))
    table("nordpass", "nordpass.csv", "name,url,additional_urls,username,password,note,cardholdername,cardnumber,cvc,expirydate,zipcode,folder,full_name".split(","))
    data("keeper", "keeper.json", dict(shared_folders=[], records=[dict(title="A", notes="text", login="me", password="x", login_url="https://example.org", custom_fields={})]))
    table("chrome-passwords", "Chrome Passwords.csv", "name,url,username,password,note".split(","))
    table("firefox-passwords", "passwords.csv", ['"%s"' % word for word in "url username password httpRealm formActionOrigin guid timeCreated timeLastUsed timePasswordChanged".split()])
    table("safari-passwords", "Passwords.csv", "Title,URL,Username,Password,Notes,OTPAuth".split(","))
    data("aegis", "aegis-backup.json", dict(version=1, header=dict(slots=None, params=None), db=dict(version=2, entries=[])), indent=4)

def encrypted():
    file("age", "notes.tar.age", b"age-encryption.org/v1\n-> X25519 abc\n" + bytes(range(256)))
    file("age", "notes.age.txt", "-----BEGIN AGE ENCRYPTED FILE-----\nYWdlLWVuY3J5cHRpb24=\n-----END AGE ENCRYPTED FILE-----\n")
    file("gpg", "notes.asc", "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n")
    file("gpg", "notes.txt.gpg", b"\x85\x01\x0c\x03" + bytes(range(200)))
    file("joplin-encrypted", ID32 + ".md", f"\n\nid: {ID32}\nencryption_cipher_text: JED0100002205\nencryption_applied: 1\ntype_: 1")

def databases():
    database("apple-notes-database", "NoteStore.sqlite", "CREATE TABLE ZICCLOUDSYNCINGOBJECT (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR)", "CREATE TABLE ZICNOTEDATA (Z_PK INTEGER PRIMARY KEY, ZDATA BLOB)")
    database("sticky-notes", "plum.sqlite", 'CREATE TABLE "Note" ("Text" varchar, "WindowPosition" varchar, "IsOpen" integer, "Id" varchar primary key)', 'CREATE TABLE "Stroke" ("Id" varchar)')
    database("calibre-database", "metadata.db", "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, uuid TEXT)", "CREATE TABLE data (book INTEGER, format TEXT)")
    database("memos", "memos_prod.db", "CREATE TABLE memo (id INTEGER PRIMARY KEY, uid TEXT, row_status TEXT NOT NULL DEFAULT 'NORMAL', content TEXT, visibility TEXT)")
    database("kobo", "KoboReader.sqlite", "CREATE TABLE Bookmark (BookmarkID TEXT, VolumeID TEXT, Text TEXT, Annotation TEXT)", "CREATE TABLE content (ContentID TEXT)")
    database("joplin-database", "database.sqlite", "CREATE TABLE folders (id TEXT)", "CREATE TABLE notes_normalized (id TEXT)", "CREATE TABLE sync_items (id INTEGER)")
    database("evernote-database", "me.exb", "CREATE TABLE note_attr (uid INTEGER, title TEXT)", "CREATE TABLE resource_attr (uid INTEGER)")
    database("evernote-database-10", "UDB-User123+RemoteGraph.sql", "CREATE TABLE Nodes_Note (id TEXT, label TEXT)", "CREATE TABLE Attrs (id TEXT)")
    database("cherrytree", "notes.ctb", "CREATE TABLE node (node_id INTEGER UNIQUE, name TEXT, txt TEXT)", "CREATE TABLE codebox (node_id INTEGER)", "CREATE TABLE children (node_id INTEGER)")
    database("diarium", "diary.diary", "CREATE TABLE Entries (DiaryEntryId INTEGER PRIMARY KEY, Heading TEXT, Text TEXT)")
    database("anki", "collection.anki2", "CREATE TABLE notes (id integer primary key)", "CREATE TABLE cards (id integer primary key)", "CREATE TABLE revlog (id integer primary key)")
    database("sqlite", "other.db", "CREATE TABLE things (id integer primary key, words text)")

def archives():
    data("keep", "Shopping.json", dict(color="DEFAULT", isTrashed=False, isPinned=False, isArchived=False, textContent="milk", title="Shopping", userEditedTimestampUsec=1700000000000000))
    archive("keep", "takeout-20260101.zip", ["Takeout/Keep/Shopping.json", "Takeout/Keep/Shopping.html", "Takeout/archive_browser.html"])
    folder("keep", "Keep", [("Shopping.json", '{"isTrashed":false,"isPinned":false,"textContent":"milk","userEditedTimestampUsec":1}'), ("Shopping.html", html("<title>Shopping</title>"))])
    data("simplenote", "notes.json", dict(activeNotes=[dict(id="a", content="text", creationDate="2026-01-01T00:00:00.000Z")], trashedNotes=[]))
    archive("simplenote", "notes.zip", ["source/notes.json", "A note.txt", "trash/Gone.txt"])
    archive("notion", "Export-1.zip", [f"Home {ID32}.md", f"Home {ID32}/Plan {ID32}.md", f"Home {ID32}/Tasks {ID32}.csv"])
    archive("notion", "Export-2.zip", [f"ExportBlock-{UUID}-Part-1.zip"])
    folder("notion", "Export", [f"Home {ID32}.md", f"Home {ID32}/Tasks {ID32}.csv"])
    archive("notion-html", "Export-3.zip", [f"Home {ID32}.html", "index.html"])
    file("notion-html", f"Home {ID32}.html", html("<title>Home</title>", f'<article id="{UUID}" class="page sans"><div class="page-body"><p>x</p></div></article>'))
    archive("bear", "Bear Notes.bear2bk", ["Bear Notes.bear2bk/A.textbundle/info.json", "Bear Notes.bear2bk/A.textbundle/text.markdown", "Bear Notes.bear2bk/A.textbundle/assets/a.png"])
    archive("ulysses", "backup.ulbackup.zip", ["Inbox/A.ulysses/Content.xml", "Inbox/Info.ulgroup"])
    folder("craft", "A.textbundle", [("info.json", '{"creatorIdentifier" : "com.lukilabs.lukiapp", "version" : 2}'), ("text.md", "# A\n")])
    archive("textbundle", "A.textpack", ["A.textbundle/info.json", "A.textbundle/text.md", "A.textbundle/assets/a.png"])
    folder("textbundle", "B.textbundle", [("info.json", '{"version" : 2, "type" : "net.daringfireball.markdown"}'), ("text.markdown", "B\n")])
    data("dayone", "Journal.json", dict(metadata=dict(version="1.0"), entries=[dict(creationDate="2026-01-01T08:00:00Z", uuid="A" * 32, text="text", tags=["one"], starred=False)]))
    archive("dayone", "dayone.zip", ["Travel.json", f"photos/{ID32}.jpeg"])
    archive("apple-notes", "iCloud Notes.zip", ["iCloud Notes/Notes/A/A.txt", "iCloud Notes/Notes Details.csv"])
    archive("notesnook", "notesnook-backup.nnbackupz", [".nnbackup", f"0-plain-{ID32}", "attachments/.attachments_key"])
    archive("anytype", "Anytype.zip", ["objects/bafyrei.pb", "relations/bafyrei.pb", "types/bafyrei.pb", "files/a.png"])
    archive("upnote", "UpNote.zip", ["UpNote/notes.upnx", "UpNote/files/a.png"])
    archive("zoho-notebook", "notebook.zip", ["A_1.znote", "attachments/a.png"])
    file("zoho-notebook", "A.znel", '<?xml version="1.0"?><ZNote><ZMeta/><content/></ZNote>')
    archive("samsung-notes", "Note.sdocx", ["note.note", "pageIdInfo.dat", "media/mediaInfo.dat", "end_tag.bin"])
    archive("trilium", "root.zip", [("!!!meta.json", "{}"), "root/A.html"])
    data("tana", "tana.json", dict(formatVersion=1, docs=[dict(id="a", props=dict(name="A"))]))
    data("turtl", "turtl-backup.json", dict(spaces=[], boards=[], notes=[dict(title="A", text="text")], files=[]))
    data("journey", "1700000000000-3fd2a1b2c3d4e5f6.json", dict(text="text", date_modified=1, date_journal=1700000000000, id="a", preview_text="text", tags=[]))
    archive("journey", "journey.zip", ["1700000000000-3fd2a1b2c3d4e5f6.json", "1700000000000-3fd2a1b2c3d4e5f6-3f.jpg"])
    archive("goodnotes", "Paper.goodnotes", ["index.notes.pb", f"notes/{UUID}", "thumbnail.jpg"])
    archive("notability", "Lecture.note", ["Lecture/Session.plist", "Lecture/metadata.plist"])
    file("supernote", "20260101.note", b"noteSN_FILE_VER_20230015" + bytes(200))
    file("remarkable", "page.rm", b"reMarkable .lines file, version=6          " + bytes(100))
    archive("remarkable", "Book.rmdoc", [f"{UUID}.content", f"{UUID}.metadata", f"{UUID}/{UUID}.rm"])
    archive("wiznote", "A.ziw", ["index.html", "index_files/a.png"])
    archive("nimbus", "A.zip", ["note.html", "assets/a.png"])
    archive("diaro", "diaro.zip", ["DiaroBackup.xml", "media/photo/a.jpg"])
    file("diaro", "backup.xml", '<?xml version="1.0"?><data version="2"><table title="diaro_entries"><r/></table></data>')
    archive("momento", "Momento Export.zip", ["Momento Export/Moments.txt", "Momento Export/Attachments/a.jpg"])

def documents():
    file("onenote", "Section.one", bytes.fromhex("e4525c7b8cd8a74daeb15378d02996d3") + bytes(300))
    folder("onenote", "Notebook", ["A.one", "Open Notebook.onetoc2"])
    file("onenote-package", "Notebook.onepkg", b"MSCF" + bytes(40) + b"Section.one\0" + bytes(100))
    file("onenote-mht", "Page.mht", 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html\n\n<html xmlns:o="x"><meta name=Generator content="Microsoft OneNote 15">\n')
    data("roam", "graph.json", [dict(title="A", children=[dict(string="text", uid="x")], **{"create-time": 1, "edit-time": 2})])
    file("roam", "graph.edn", "#datascript/DB {:schema {:block/uid {}}, :datoms []}")
    file("tiddlywiki", "wiki.html", '<!doctype html>\n<html><head>\n<meta name="application-name" content="TiddlyWiki" />\n<meta name="tiddlywiki-version" content="5.3.6" /></head><body></body></html>')
    data("tiddlywiki", "tiddlers.json", [dict(created="20260101000000000", text="text", tags="", title="A", modified="20260101000000000")])
    folder("tiddlywiki", "wiki", [("tiddlywiki.info", "{}"), "tiddlers/A.tid"])
    data("excalidraw", "drawing.excalidraw", dict(type="excalidraw", version=2, source="https://excalidraw.com", elements=[], appState={}))
    data("canvas", "Plan.canvas", dict(nodes=[dict(id="a", type="text", text="x", x=0, y=0, width=1, height=1)], edges=[]))
    data("trello", "board.json", dict(id="a", name="Board", idOrganization=None, labelNames={}, cards=[dict(name="A", desc="text")], lists=[]))
    data("drafts", "drafts.draftsExport", [dict(uuid=UUID, content="text", flagged=False, languageGrammar="Markdown", tags=[])])
    data("diarium-json", "Diarium.json", [dict(date="2026-01-01T00:00:00", heading="A", html="<p>x</p>", rating=0)])
    data("firefox-bookmarks", "bookmarks.json", dict(guid="root________", title="", typeCode=2, type="text/x-moz-place-container", children=[]))
    file("tomboy", f"{UUID}.note", '<?xml version="1.0" encoding="utf-8"?>\n<note version="0.3" xmlns:link="http://beatniksoftware.com/tomboy/link" xmlns="http://beatniksoftware.com/tomboy"><title>A</title><text xml:space="preserve"><note-content version="0.1">A</note-content></text></note>')
    folder("tomboy", "tomboy", [(f"{UUID}.note", '<?xml version="1.0"?><note xmlns="http://beatniksoftware.com/tomboy"><title>A</title></note>'), ("manifest.xml", "<x/>")])
    file("cherrytree-xml", "notes.ctd", '<?xml version="1.0" encoding="UTF-8"?>\n<cherrytree><node name="A" unique_id="1"><rich_text>text</rich_text></node></cherrytree>')
    folder("keepnote", "Notebook", [("notebook.nbk", "<?xml version='1.0'?><notebook/>"), ("node.xml", "<node/>"), ("A/node.xml", "<node/>"), ("A/page.html", html(""))])
    folder("scrivener", "Novel.scriv", [("Novel.scrivx", '<?xml version="1.0"?><ScrivenerProject/>'), "Files/Docs/1.rtf"])
    file("scrivener", "Novel.scrivx", '<?xml version="1.0" encoding="UTF-8"?>\n<ScrivenerProject Identifier="A" Version="2.0"><Binder/></ScrivenerProject>')
    folder("devonthink", "Base.dtBase2", ["DEVONthink-1.dtMeta", "DEVONthink-2.dtMeta", "Files.noindex/md/1/A.rtf"])
    file("boostnote", f"{UUID}.cson", 'createdAt: "2026-01-01T00:00:00.000Z"\nupdatedAt: "2026-01-01T00:00:00.000Z"\ntype: "MARKDOWN_NOTE"\ntitle: "A"\ncontent: \'\'\'\n  # A\n\'\'\'\n')
    folder("boostnote", "Boostnote", [("boostnote.json", '{"folders":[]}'), "notes/a.cson"])
    file("rednotebook", "2026-01.txt", "1: {text: 'A day'}\n2:\n  text: Another\n")
    folder("rednotebook", "data", [("2026-01.txt", "1: {text: 'A day'}\n"), ("2026-02.txt", "3: {text: 'A day'}\n")])
    folder("stickies", "Stickies", [("A.rtfd/TXT.rtf", "{\\rtf1 x}"), ".SavedStickiesState"])
    file("xournal", "page.xopp", '<?xml version="1.0" standalone="no"?>\n<xournal creator="xournalpp 1.2" fileversion="4"><page/></xournal>')
    file("penzu", "penzu.html", html("<title>My Penzu journal</title>"))
    file("quip", "doc.html", html("", '<h1 id="abc"><a href="https://quip.com/abc">A</a></h1>'))
    file("evernote-notes", "A.notes", '<?xml version="1.0"?>\n<en-export application="Evernote/Windows"><note><title>A</title><content encoding="base64:aes">RU5D</content></note></en-export>')
    file("evernote-html", "A.html", html('<meta name="exporter-version" content="Evernote Mac 9.7.14 (474683)"/>'))

def lists():
    file("mbox", "Inbox", "From me@example.org Thu Jan  1 00:00:00 2026\nFrom: me@example.org\nTo: you@example.org\nSubject: Hello\n\nText\n")
    file("eml", "Hello.eml", "Received: from a by b; Thu, 1 Jan 2026 00:00:00 +0000\r\nFrom: me@example.org\r\nMessage-ID: <a@example.org>\r\nSubject: Hello\r\n\r\nText\r\n")
    file("vcard", "contacts.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A Person\r\nEND:VCARD\r\n")
    file("icalendar", "calendar.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
    table("readwise", "readwise-data.csv", "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at".split(","))
    table("pocket", "part_000000.csv", "title,url,time_added,tags,status".split(","))
    file("pocket", "ril_export.html", "<!DOCTYPE html>\n<html>\n<head><title>Pocket Export</title></head>\n<body><h1>Unread</h1><ul></ul></body></html>")
    table("instapaper", "instapaper-export.csv", "URL,Title,Selection,Folder,Timestamp,Tags".split(","))
    file("instapaper", "instapaper-export.html", "<!DOCTYPE html><html><head><title>Instapaper: Export</title></head><body><h1>Unread</h1></body></html>")
    table("raindrop", "raindrop.csv", "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite".split(","))
    table("todoist", "Project.csv", "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE".split(","))
    file("ticktick", "TickTick-backup.csv", '"Date: 2026-01-01+0000"\n"Version: 7.1"\n"Status: 0 Normal"\n"Folder Name","List Name","Title","Kind","Tags","Content"\n')
    file("bookmarks", "bookmarks.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n<TITLE>Bookmarks</TITLE>\n<DL><p></DL>")

def folders():
    folder("logseq", "graph", [("logseq/config.edn", "{}"), ("pages/A.md", "- a"), ("journals/2026_01_01.md", "- b")])
    folder("logseq-org", "graph", [("logseq/config.edn", "{}"), ("pages/A.org", "* a")])
    folder("zettlr", "work", [(".ztr-directory", "{}"), ("A.md", "# A")])
    folder("dendron", "vault", [("dendron.yml", "version: 5"), ("root.md", "# Root")])
    folder("foam", "foam", [(".foam/templates/a.md", "x"), ("A.md", "# A")])
    folder("qownnotes", "Notes", [("notes.sqlite", "x"), ("A.md", "# A")])
    folder("nb", "home", [(".nb", ""), (".index", "a.md\n"), ("a.md", "# A")])
    folder("denote", "denote", ["20260101T101010--a-title__tag.md"])
    folder("ia-writer", "texts", [("A.md", "# A\n\ntext\n\n---\nAnnotations: 0,8 SHA-256 0123456789abcdef  \n&Human: 0,8\n...\n")])
    folder("zim", "Notes", [("notebook.zim", "[Notebook]\nversion=0.4\n"), ("Home.txt", "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n")])
    file("zim", "Home.txt", "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: 2026-01-01\n\n====== Home ======\n")
    file("denote-org", "20260101T101010--a-title__tag.org", "#+title:      A title\n#+date:       [2026-01-01]\n#+filetags:   :tag:\n#+identifier: 20260101T101010\n")
    file("org", "notes.org", "#+TITLE: Notes\n* TODO Buy milk\n")
    folder("org", "org", [("a.org", "* A"), ("b.org", "* B")])
    folder("dokuwiki", "data", ["pages/start.txt", "pages/wiki/syntax.txt"])
    file("mediawiki", "dump.xml", '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11"><page><title>A</title></page></mediawiki>')
    file("asciidoc", "note.adoc", "= A title\nAn Author\n\nText\n")
    file("opml", "outline.opml", '<?xml version="1.0"?>\n<opml version="2.0"><head><title>A</title></head><body><outline text="a"/></body></opml>')

def plain():
    archive("docx", "doc.docx", ["[Content_Types].xml", "_rels/.rels", "word/document.xml"])
    archive("xlsx", "sheet.xlsx", ["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"])
    archive("pptx", "slides.pptx", ["[Content_Types].xml", "_rels/.rels", "ppt/presentation.xml"])
    archive("epub", "book.epub", [("mimetype", "application/epub+zip"), "META-INF/container.xml"], zipfile.ZIP_STORED)
    archive("odt", "doc.odt", [("mimetype", "application/vnd.oasis.opendocument.text"), "content.xml"], zipfile.ZIP_STORED)
    file("doc", "old.doc", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))
    file("rtf", "doc.rtf", "{\\rtf1\\ansi Text}")
    file("pdf", "doc.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    file("latex", "doc.tex", "\\documentclass{article}\n\\begin{document}\nText\n\\end{document}\n")
    data("ipynb", "book.ipynb", dict(cells=[], metadata={}, nbformat=4, nbformat_minor=5), indent=1)
    archive("takeout", "takeout.zip", ["Takeout/archive_browser.html", "Takeout/Tasks/Tasks.json"])
    file("html", "page.html", html("<title>A</title>"))
    folder("html-folder", "pages", [("a.html", html("")), ("a_files/a.css", "x")])
    data("json", "other.json", dict(things=[1, 2, 3]))
    table("csv", "things.csv", ["one", "two"])
    file("xml", "other.xml", '<?xml version="1.0"?><things><thing/></things>')
    file("markdown-file", "note.md", "# A note\n")
    folder("text-folder", "texts", ["a.txt", "b.txt"])
    archive("zip", "things.zip", ["a.bin", "b/c.bin"])
    file("compressed", "things.txt.gz", bytes.fromhex("1f8b0800000000000003") + bytes(40))
    file("compressed", "things.7z", bytes.fromhex("377abcaf271c") + bytes(40))

for part in (passwords, encrypted, databases, archives, documents, lists, folders, plain): part()
print(json.dumps(MADE))
