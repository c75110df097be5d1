// SPDX-License-Identifier: Apache-2.0

/// The client's version, which is the daemon's.
package enum ClientVersion {
    package static let text = "0.1.0"
}
