// SPDX-License-Identifier: Apache-2.0
import Logging
import WebAPI

/// Reads the token file again at SIGHUP. Without one, SIGHUP does nothing, and ends nothing.
struct TokenService: Service {
    let file: TokenFile?
    let tokens: TokenStore?
    let hangups: AsyncStream<Void>
    let logger: Logger

    /// Why the daemon cannot be started.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func open(_ file: TokenFile, _ logger: Logger) throws(Failure) -> TokenStore {
        do {
            return TokenStore(try read(file, logger))
        } catch {
            // The path is not shown: somebody may have given a token in its place.
            throw Failure(description: "cannot use --token-file: \(error)")
        }
    }

    private static func read(_ file: TokenFile, _ logger: Logger) throws(TokenFileError) -> [Token] {
        let (tokens, isOpenToOthers) = try file.read()
        if isOpenToOthers {
            logger.warning("everybody on this machine can read the token file \(file.path): chmod 640 fixes that")
        }
        return tokens
    }

    func run() async {
        for await _ in hangups { reload() }
    }

    private func reload() {
        guard let file, let tokens else { return logger.notice("SIGHUP: there is no token file to read again") }
        do {
            let (added, revoked) = tokens.replace(with: try Self.read(file, logger))
            logger.notice("tokens read again: \(added) new, \(revoked) revoked")
        } catch {
            logger.error(
                "cannot use the token file \(file.path) any more: \(error). The previous tokens stay in force"
            )
        }
    }
}
