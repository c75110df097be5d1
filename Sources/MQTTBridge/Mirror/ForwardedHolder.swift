// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A holder here, as the daemon that has a mirrored display knows it: `PRINCIPAL/HOLDER`.
///
/// To that daemon everybody who asks through a broker is the principal `mqtt`. With the principal in the holder's name two
/// principals of a gateway never share a lease there, and a gateway that was started again still knows whose each one is.
struct ForwardedHolder {
    /// `nil` for a holder without a name.
    let name: String?
    let principal: Principal

    init(_ name: String?, of principal: Principal) {
        self.name = name
        self.principal = principal
    }

    /// - Parameters:
    ///   - holder: As the other daemon reports it.
    ///   - principal: As well; one of an older version reports none.
    ///   - node: That daemon's name.
    init(mirrored holder: String?, of principal: String?, at node: String) {
        if principal ?? Principal.mqtt.text == Principal.mqtt.text, let holder,
            let slash = holder.firstIndex(of: "/"), slash > holder.startIndex
        {
            let name = holder[holder.index(after: slash)...]
            self.init(name.isEmpty ? nil : String(name), of: Principal(String(holder[..<slash])))
        } else {
            self.init(holder, of: .mirrored(principal ?? "", of: node))
        }
    }

    /// What the other daemon is given as the holder.
    var text: String { "\(principal.text)/\(name ?? "")" }
}
