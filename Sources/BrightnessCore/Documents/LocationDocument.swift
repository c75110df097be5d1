// SPDX-License-Identifier: Apache-2.0

/// The document of `GET /v1/location`.
package struct LocationDocument: Document {
    /// `nil` if it is unknown.
    package let location: MachineLocation?

    package init(_ location: MachineLocation?) { self.location = location }

    package func write(to json: inout JSONWriter) {
        json.member("latitude", decimal: location?.location.latitude)
        json.member("longitude", decimal: location?.location.longitude)
        json.member("source", location.map { $0.isChosen ? "set" : "option" })
    }

    package init?(reading json: JSONNode) {
        guard let source = json["source"] else { return nil }
        guard json["latitude"]?.number != nil, json["longitude"]?.number != nil else {
            location = nil
            return
        }
        guard let chosen = Location(reading: json) else { return nil }
        location = MachineLocation(location: chosen, isChosen: source.string == "set")
    }
}

/// The location that a person has set.
extension Location: KeptRecord {
    package static let kind = "location"
    /// The key of the only one.
    package static let machine = "machine"
    package var key: String { Self.machine }

    package func write(to json: inout JSONWriter) {
        json.member("latitude", decimal: latitude)
        json.member("longitude", decimal: longitude)
    }

    package init?(reading json: JSONNode) {
        guard let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
