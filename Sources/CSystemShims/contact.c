// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#include "CSystemShims.h"

#ifndef VAULT_WEBSITE
#define VAULT_WEBSITE ""
#endif
#ifndef VAULT_SUPPORT_EMAIL
#define VAULT_SUPPORT_EMAIL ""
#endif

const char *vs_website(void) { return VAULT_WEBSITE; }
const char *vs_support_email(void) { return VAULT_SUPPORT_EMAIL; }
