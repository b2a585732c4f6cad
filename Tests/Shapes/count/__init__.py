# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors

"""What a source, a vault or an export holds, counted without any code of vault's and without knowing how it was made."""
