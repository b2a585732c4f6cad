// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// SQLite's variadic calls, which Swift cannot make.
#ifndef C_SQLITE_SHIMS_H
#define C_SQLITE_SHIMS_H

#include <sqlite3.h>

// Extended codes, which are expressions that Swift does not import.
enum {
    CS_IOERR_READ = SQLITE_IOERR_READ,
    CS_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ,
    CS_IOERR_WRITE = SQLITE_IOERR_WRITE,
    CS_IOERR_FSYNC = SQLITE_IOERR_FSYNC,
    CS_IOERR_TRUNCATE = SQLITE_IOERR_TRUNCATE,
    CS_IOERR_DELETE = SQLITE_IOERR_DELETE,
    CS_IOERR_DATA = SQLITE_IOERR_DATA,
};

/// Before SQLite's first use in this process: every block that it frees is cleared, and file names may be URIs.
/// SQLITE_OK, or SQLITE_MISUSE when SQLite was in use already.
int cs_configure(void);

/// Refuses changes to the schema's own tables and anything else that a forged page could make of ordinary SQL.
int cs_harden(sqlite3 *database);

#endif
