// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// The limits on what entities may grow to are declared for a library that reads document types, as every distribution builds it.
#define XML_DTD 1
#include <expat.h>
