# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: a daemon to talk to, and clients that are stricter than real ones."""
