// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
