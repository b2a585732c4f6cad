// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// json-c, and its flags as numbers that Swift can see.
#ifndef JSON_ANSWERS_H
#define JSON_ANSWERS_H
#include <json-c/json.h>

/// One value, as RFC 8259 has it, in UTF-8.
static const int cj_strict = JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8;
#endif
