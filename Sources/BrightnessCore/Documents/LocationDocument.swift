// SPDX-License-Identifier: Apache-2.0

/// The document of `GET /v1/location`.
package struct LocationDocument: Document {
    /// `nil` if the place is unknown.
    package let location: MachineLocation?

    package init(_ location: MachineLocation?) { self.location = location }

    package func write(to json: inout JSONWriter) {
        json.member("latitude", fraction: location?.location.latitude)
        json.member("longitude", fraction: location?.location.longitude)
        json.member("source", location.map { $0.isChosen ? "set" : "option" })
    }

    package init?(reading json: JSONNode) {
        guard let source = json["source"] else { return nil }
        guard let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number else {
            location = nil
            return
        }
        guard let place = Location(latitude: latitude, longitude: longitude) else { return nil }
        location = MachineLocation(place, isChosen: source.string == "set")
    }
}
