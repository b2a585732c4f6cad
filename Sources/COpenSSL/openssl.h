// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/params.h>
