// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Reed-Solomon parity by Intel's ISA-L, which is loaded when parity is first made or used and never before.
#ifndef C_REED_SOLOMON_H
#define C_REED_SOLOMON_H

#include <stddef.h>
#include <stdint.h>

/// Rows of data and parity together: more have no distinct numbers in a field of 256.
enum { REED_SOLOMON_ROWS_MAX = 255 };

/// Loads libisal.so.2 unless that is done; -1 where it is missing or too old.
int reed_solomon_load(void);

/// Makes `parityCount` rows of `dataCount` rows, each of `byteCount` bytes, one row behind the other. The library must be loaded. -1 without
/// memory, and for numbers that do not fit.
int reed_solomon_encode(int byteCount, int dataCount, int parityCount, const uint8_t *data, uint8_t *parity);

/// Makes lost rows of data again. `present` has the numbers of `dataCount` rows that are there, in the order in which they lie in `rows`: below
/// `dataCount` for data, then parity; `lost` those of rows of data that are not. The library must be loaded. -1 without memory, and for
/// numbers that do not fit.
int reed_solomon_rebuild(int byteCount, int dataCount, int parityCount, const uint8_t *present, const uint8_t *rows, int lostCount,
                         const uint8_t *lost, uint8_t *rebuilt);

#endif
