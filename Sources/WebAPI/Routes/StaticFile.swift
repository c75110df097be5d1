// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// The files that are part of the program: the first page and the API's descriptions.
enum StaticFile: String, Hashable, CaseIterable {
    case page = "/"
    case script = "/dashboard.js"
    case style = "/dashboard.css"
    case openAPI = "/openapi.yaml"
    case asyncAPI = "/asyncapi.yaml"

    init?(path: String) { self.init(rawValue: path) }

    var response: Response {
        Response(
            status: 200,
            fields: [
                (
                    "Content-Type",
                    self == .openAPI || self == .asyncAPI ? mediaType.name : "\(mediaType.name); charset=utf-8"
                ),
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

    var mediaType: MediaType {
        switch self {
        case .page: Self.html
        case .script: Self.javaScript
        case .style: Self.css
        case .openAPI, .asyncAPI: Self.yaml
        }
    }

    private static let html = MediaType("text/html")
    private static let javaScript = MediaType("text/javascript")
    private static let css = MediaType("text/css")
    private static let yaml = MediaType("application/yaml")

    private var bytes: [UInt8] {
        switch self {
        case .page: PackageResources.dashboard_html
        case .script: PackageResources.dashboard_js
        case .style: PackageResources.dashboard_css
        case .openAPI: PackageResources.openapi_yaml
        case .asyncAPI: PackageResources.asyncapi_yaml
        }
    }
}
