// SPDX-License-Identifier: Apache-2.0

extension Location {
    /// `PUT /v1/location`: `{"latitude":52.52,"longitude":13.4}`.
    package init(from body: consuming RequestBody) throws(Problem) {
        let latitude = try body.number("latitude", in: -90...90)
        let longitude = try body.number("longitude", in: -180...180)
        body.explain(["source"], "It is computed; leave it out.")
        let known = latitude.flatMap { latitude in
            longitude.flatMap { Location(latitude: latitude, longitude: $0) }
        }
        let (missing, example) = latitude == nil ? ("latitude", "52.52") : ("longitude", "13.40")
        self = try body.end(requiring: known, missing, "\(missing) is required, in degrees such as \(example).").rounded
    }
}
