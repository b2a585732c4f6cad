// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#include <archive.h>
#include <archive_entry.h>
