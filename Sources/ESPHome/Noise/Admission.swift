// SPDX-License-Identifier: Apache-2.0

/// The reason for which a client may connect.
enum Admission: Equatable {
    /// It has the key.
    case key(NoiseKey)
    /// There is no key, and the client is on this machine.
    case local
    /// There is no key, and a client may set it.
    case window(isLocal: Bool)

    /// Whether the client may use displays. A stranger in the window sees them, and may do nothing but set the key.
    var mayUseDisplays: Bool { self != .window(isLocal: false) }
}
