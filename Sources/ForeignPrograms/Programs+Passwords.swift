// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ForeignProgram {
    /// What keeps passwords.
    static let passwordManagers: [ForeignProgram] = [
        ForeignProgram(
            "bitwarden-encrypted", "an encrypted export of Bitwarden",
            .json(["encrypted", "encKeyValidation_DO_NOT_EDIT"]),
            do:
                "in Bitwarden: Settings, Export vault, file format .csv, without encryption; then pass import bitwarden FILE.csv, then vault import pass ~/.password-store"
        ),
        ForeignProgram(
            "bitwarden", "an export of Bitwarden",
            .any([
                .json(["encrypted", "folders", "items"]),
                .csv(["folder", "favorite", "type", "login_uri", "login_password"]),
            ]),
            do: Advice.pass("bitwarden", "FILE.csv (export it as .csv)")),
        ForeignProgram(
            "keepass", "a database of KeePass (.kdbx)",
            .magic([0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5], at: 0),
            do:
                "keepassxc-cli export --format csv FILE.kdbx > FILE.csv, then pass import keepassxc FILE.csv, then vault import pass ~/.password-store; delete FILE.csv, which is not encrypted"
        ),
        ForeignProgram(
            "keepass1", "a database of KeePass 1 (.kdb)",
            .magic([0x03, 0xD9, 0xA2, 0x9A, 0x65, 0xFB, 0x4B, 0xB5], at: 0),
            do:
                "in KeePassXC: Database, Import, KeePass 1 Database; then keepassxc-cli export --format csv FILE.kdbx > FILE.csv, pass import keepassxc FILE.csv, vault import pass ~/.password-store"
        ),
        ForeignProgram(
            "keepass-xml", "an XML export of KeePass",
            .any([.xml("KeePassFile"), .xml("pwlist")]),
            do: Advice.pass("keepass", "FILE.xml")),
        ForeignProgram(
            "keepass-csv", "a CSV export of KeePass or KeePassXC",
            .any([
                .csv(["Group", "Title", "Username", "Password", "URL", "Notes"]),
                .csv(["Account", "Login Name", "Password", "Web Site"]),
            ]),
            do: Advice.pass("keepassxc", "FILE.csv")),
        ForeignProgram(
            "1password", "an export of 1Password",
            .any([
                .entries(["export.attributes", "export.data"]), .text(["***5642bee8-a5ff-11dc-8314-0800200c9a66***"]),
                .csv(["Title", "Url", "Username", "Password", "OTPAuth", "Favorite", "Archived"]),
            ]),
            do: Advice.pass("1password", "FILE (as .1pux or .csv)")),
        ForeignProgram(
            "lastpass", "a CSV export of LastPass",
            .csv(["url", "username", "password", "extra", "name", "grouping", "fav"]),
            do: Advice.pass("lastpass", "FILE.csv")),
        ForeignProgram(
            "dashlane", "an export of Dashlane",
            .any([
                .csv(["username", "username2", "title", "password", "note", "url"]),
                .entries(["credentials.csv", "securenotes.csv"]),
                .json(["AUTHENTIFIANT"]),
            ]),
            do: Advice.pass("dashlane", "credentials.csv (unzip it first)")),
        ForeignProgram(
            "enpass", "an export of Enpass",
            .json(["items", "auto_submit", "template_type"]),
            do: Advice.pass("enpass", "FILE.json")),
        ForeignProgram(
            "proton-pass", "an export of Proton Pass",
            .any([
                .entries(["Proton Pass/data.json"]), .entries(["Proton Pass/data.pgp"]),
                .json(["vaults", "shareId", "itemUuid"]),
                .csv(["type", "name", "url", "password", "note", "totp", "vault"]),
            ]),
            do:
                "export it from Proton Pass as .csv, then pass import csv FILE.csv --cols type,title,url,email,login,password,comments, then vault import pass ~/.password-store"
        ),
        ForeignProgram(
            "nordpass", "a CSV export of NordPass",
            .csv(["name", "url", "username", "password", "note", "cardholdername", "cardnumber"]),
            do: "pass import nordpass FILE.csv, then vault import pass ~/.password-store"),
        ForeignProgram(
            "keeper", "an export of Keeper",
            .json(["records", "login_url", "password"]),
            do: Advice.pass("keeper", "FILE.csv (export it as .csv)")),
        ForeignProgram(
            "firefox-passwords", "passwords of Firefox",
            .csv(["url", "username", "password", "httpRealm", "formActionOrigin"]),
            do: Advice.pass("firefox", "FILE.csv")),
        ForeignProgram(
            "safari-passwords", "passwords of Safari or Apple's Passwords",
            .csv(["Title", "URL", "Username", "Password", "Notes", "OTPAuth"]),
            do:
                "pass import csv FILE.csv --cols title,url,login,password,comments,otpauth, then vault import pass ~/.password-store"
        ),
        ForeignProgram(
            "chrome-passwords", "passwords of Chrome, Edge or Brave",
            .csv(["name", "url", "username", "password"]),
            do: Advice.pass("chrome", "FILE.csv")),
        ForeignProgram(
            "aegis", "a backup of Aegis Authenticator",
            .json(["header", "slots", "db"]),
            do:
                "in Aegis: Settings, Import & Export, Export, plain .json; then pass import aegis FILE.json, then vault import pass ~/.password-store"
        ),
    ]

    /// What has to be decrypted before anything is known of it.
    static let encryptedFiles: [ForeignProgram] = [
        ForeignProgram(
            "age", "a file encrypted with age",
            .start(["age-encryption.org/v1", "-----BEGIN AGE ENCRYPTED FILE-----"]),
            do: "age --decrypt -i KEYFILE -o PLAIN FILE, then vault import auto PLAIN", yields: true),
        ForeignProgram(
            "gpg", "a file encrypted with gpg",
            .any([
                .start(["-----BEGIN PGP MESSAGE-----"]),
                .all([
                    .name("*.gpg"),
                    .any([.magic([0x85], at: 0), .magic([0x84], at: 0), .magic([0x8C], at: 0), .magic([0xC1], at: 0)]),
                ]),
            ]),
            do:
                "gpg --output PLAIN --decrypt FILE, then vault import auto PLAIN; a pass store is a folder: vault import pass ~/.password-store"
        ),
        ForeignProgram(
            "joplin-encrypted", "an encrypted item of Joplin",
            .text(["encryption_cipher_text:", "encryption_applied: 1"]),
            do:
                "in Joplin: wait until all notes are decrypted (Options, Encryption), then File, Export all, JEX; then vault import joplin FILE.jex"
        ),
    ]

    /// Databases of SQLite: by tables and columns that stand in their first pages.
    static let databases: [ForeignProgram] = [
        ForeignProgram(
            "apple-notes-database", "the database of Apple Notes",
            .sqlite(["ZICCLOUDSYNCINGOBJECT"]),
            do:
                "on the Mac (macOS 26 or later): select the notes, File, Export as Markdown; then vault import markdown FOLDER. Before that: request a copy of your notes at privacy.apple.com"
        ),
        ForeignProgram(
            "sticky-notes", "the database of Microsoft Sticky Notes (plum.sqlite)",
            .sqlite(["CREATE TABLE \"Note\"", "WindowPosition"]),
            do:
                "mkdir notes && sqlite3 plum.sqlite \"SELECT writefile('notes/' || Id || '.txt', Text) FROM Note\" && vault import markdown notes"
        ),
        ForeignProgram(
            "calibre-database", "the database of a calibre library",
            .all([.sqlite([]), .name("metadata.db")]),
            do: "vault import calibre FOLDER, the folder that it lies in"),
        ForeignProgram(
            "memos", "the database of Memos",
            .sqlite(["CREATE TABLE memo", "visibility", "row_status"]),
            do:
                "mkdir notes && sqlite3 memos_prod.db \"SELECT writefile('notes/' || id || '.md', content) FROM memo\" && vault import markdown notes"
        ),
        ForeignProgram(
            "kobo", "the database of a Kobo reader",
            .sqlite(["CREATE TABLE Bookmark", "VolumeID"]),
            do:
                "mkdir notes && sqlite3 KoboReader.sqlite \"SELECT Text, Annotation FROM Bookmark WHERE Text <> ''\" > notes/kobo.txt && vault import markdown notes"
        ),
        ForeignProgram(
            "joplin-database", "the database of Joplin",
            .sqlite(["notes_normalized", "sync_items"]),
            do: "in Joplin: File, Export all, JEX - Joplin Export File; then vault import joplin FILE.jex"),
        ForeignProgram(
            "evernote-database", "a database of Evernote",
            .sqlite(["note_attr"]),
            do:
                "in Evernote: select the notes, File, Export, ENEX; then vault import enex FILE.enex. Or: evernote-backup init-db, evernote-backup sync, evernote-backup export FOLDER, then vault import enex FOLDER"
        ),
        ForeignProgram(
            "evernote-database-10", "a database of Evernote 10",
            .sqlite(["Nodes_Note"]),
            do:
                "in Evernote: select the notes, File, Export, ENEX; then vault import enex FILE.enex. Or: evernote-backup init-db, evernote-backup sync, evernote-backup export FOLDER, then vault import enex FOLDER"
        ),
        ForeignProgram(
            "cherrytree", "a notebook of CherryTree (.ctb)",
            .sqlite(["CREATE TABLE node", "codebox"]),
            do: "cherrytree --export_to_txt_dir notes FILE.ctb && vault import markdown notes"),
        ForeignProgram(
            "diarium", "a diary of Diarium (.diary)",
            .sqlite(["DiaryEntryId"]),
            do: "in Diarium: Settings, Export, .txt; then put the file into a folder, and vault import markdown FOLDER"),
        ForeignProgram(
            "anki", "a collection of Anki",
            .sqlite(["CREATE TABLE notes", "CREATE TABLE cards", "CREATE TABLE revlog"]),
            do:
                "in Anki: File, Export, Notes in Plain Text; then put the file into a folder, and vault import markdown FOLDER"
        ),
    ]
}
