// SPDX-License-Identifier: Apache-2.0

/// The version of all programs, which are released together. `scripts/package/debian-source` reads it here.
package enum ReleaseVersion {
    package static let text = "0.1.0"
}
