# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors

"""Sources as other programs write them, made anew from what is known of their forms."""
