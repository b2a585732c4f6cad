// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
// Pictures and PDF in memory; no fonts and no windows.
#include <cairo.h>
#include <cairo-pdf.h>
