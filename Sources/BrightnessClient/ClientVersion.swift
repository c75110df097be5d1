// SPDX-License-Identifier: Apache-2.0

/// The version of the client and of the daemon, which are released together. `scripts/debian-source` reads it here.
package enum ClientVersion {
    package static let text = "0.1.0"
}
