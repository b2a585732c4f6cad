// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
// Only what works on buffers; no header of repositories' insides is of use here.
#include <git2/common.h>
#include <git2/diff.h>
#include <git2/merge.h>
