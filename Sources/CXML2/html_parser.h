// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// Debian's libxml2 shows ICU's types in two structures of character encodings that are not used here, and Foundation has
// an ICU of its own: a module cannot have both.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
