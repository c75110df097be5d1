# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the end-to-end tests: a daemon, and clients that are stricter than real ones."""
