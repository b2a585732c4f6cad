# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What bench.py is made of; Benchmarks/README.md explains the method."""
