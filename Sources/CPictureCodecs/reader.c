// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#include "reader.h"

int vpc_start(vpc_reader *reader, vpc_size wanted, vpc_size *plane) { return reader->start(reader, wanted, plane); }

int vpc_next_row(vpc_reader *reader, uint8_t *rgba, size_t capacity, vpc_row *row) { return reader->nextRow(reader, rgba, capacity, row); }

void vpc_close(vpc_reader *reader) { reader->close(reader); }
