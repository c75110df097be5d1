// SPDX-License-Identifier: Apache-2.0

/// `"linear"`, `"perceptual"`, or an array of points `[brightness, level]`.
extension PanelCurve {
    package func write(to json: inout JSONWriter) {
        switch self {
        case .linear: json.string("linear")
        case .perceptual: json.string("perceptual")
        case .points(let points):
            json.array(points.all) { json, point in
                json.array([point.brightness, point.level]) { $0.number($1) }
            }
        }
    }

    init?(reading json: JSONNode) {
        switch json.string {
        case "linear": self = .linear
        case "perceptual": self = .perceptual
        default:
            guard let elements = json.elements else { return nil }
            var points: [Points.Point] = []
            for element in elements.prefix(Points.limit + 1) {
                guard let pair = element.elements?.prefix(3).map(\.number), pair.count == 2, let brightness = pair[0],
                    let level = pair[1]
                else { return nil }
                points.append(Points.Point(brightness, level))
            }
            guard let points = Points(points) else { return nil }
            self = .points(points)
        }
    }
}
