// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
// A QR code's modules in memory; no pictures of them.
#include <qrencode.h>
