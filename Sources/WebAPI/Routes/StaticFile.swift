// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// The files that are part of the program: the first page and the API's description.
enum StaticFile: String, Hashable, CaseIterable {
    case page = "/"
    case script = "/dashboard.js"
    case style = "/dashboard.css"
    case openAPI = "/openapi.yaml"

    init?(path: String) { self.init(rawValue: path) }

    var response: Response {
        Response(
            status: 200,
            fields: [
                ("Content-Type", type),
                ("Cache-Control", "no-cache"),
                ("Content-Security-Policy", Self.policy),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
            ],
            body: bytes
        )
    }

    /// Nothing from any other host, no inline code.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

    private var type: String {
        switch self {
        case .page: "text/html; charset=utf-8"
        case .script: "text/javascript; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .openAPI: "application/yaml"
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .page: PackageResources.dashboard_html
        case .script: PackageResources.dashboard_js
        case .style: PackageResources.dashboard_css
        case .openAPI: PackageResources.openapi_yaml
        }
    }
}
