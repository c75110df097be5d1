// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import WebAPI

/// The file of `--configuration`: the document of `/v1/configuration`.
struct ConfigurationFile: Sendable {
    struct Content: Sendable {
        let document: ConfigurationDocument
        let digest: ContentDigest
    }

    let path: String

    /// Blocks.
    func read(by rules: ConfigurationDocument.Rules) throws(OptionError) -> Content {
        do {
            // In MiB.
            let bytes = try RegularFile.read(path, upTo: ConfigurationDocument.longest >> 20).bytes
            let body = try RequestBody(parsing: bytes, upTo: ConfigurationDocument.longest)
            let document = try ConfigurationDocument(from: body, by: rules)
            return Content(document: document, digest: ContentDigest(of: bytes))
        } catch let problem as Problem {
            let faults = problem.errors.map { "\($0.pointer.isEmpty ? "" : "\($0.pointer): ")\($0.detail)" }
            throw OptionError("\(path): \(faults.isEmpty ? problem.detail : faults.joined(separator: " "))")
        } catch {
            throw OptionError("\(path): \((error as? RegularFile.Failure)?.reason ?? "\(error)").")
        }
    }
}
