// SPDX-License-Identifier: Apache-2.0

extension ResourceName {
    /// Reads the name in a path.
    ///
    /// - Parameter kind: What has the name, as in "A schedule".
    package init(path text: String, of kind: String) throws(Problem) {
        guard let name = ResourceName(text) else {
            throw Problem(
                .invalidBody,
                "\(kind)'s name has 1 to 64 characters: no \"/\", no control character, no space at an end, and not "
                    + "only \".\" or \"..\". Nothing was changed."
            )
        }
        self = name
    }
}

extension RequestBody {
    /// Reads `name`, which may only repeat that of the path.
    mutating func checkName(_ name: ResourceName) throws(Problem) {
        guard let other = try string("name", length: 1...64), other != name.text else { return }
        try reject("name", "name must be that of the path, \"\(name.text)\", or left out.")
    }
}
