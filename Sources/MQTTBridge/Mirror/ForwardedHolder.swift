// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A holder of this daemon as the node of a mirrored display sees it: `PRINCIPAL/HOLDER`.
///
/// That node knows all commands from the broker as the principal `mqtt`. With the principal in the holder's name, two
/// principals of a gateway never share a lease there, and a restarted gateway recognizes the owner of each.
struct ForwardedHolder {
    /// `nil` for a holder without a name.
    let name: String?
    let principal: Principal

    init(_ name: String?, of principal: Principal) {
        self.name = name
        self.principal = principal
    }

    /// - Parameters:
    ///   - holder: The reported holder.
    ///   - principal: The reported principal.
    ///   - node: The name of the node.
    init(mirrored holder: String?, of principal: String, at node: String) {
        if principal == Principal.mqtt.text, let holder,
            let slash = holder.firstIndex(of: "/"), slash > holder.startIndex
        {
            let name = holder[holder.index(after: slash)...]
            self.init(name.isEmpty ? nil : String(name), of: Principal(String(holder[..<slash])))
        } else {
            self.init(holder, of: .mirrored(principal, of: node))
        }
    }

    /// The holder that is sent to the node.
    var text: String { "\(principal.text)/\(name ?? "")" }
}
