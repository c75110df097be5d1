// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// The reason why a transfer did not succeed.
package enum TransferFailure: Error, Equatable {
    /// libcurl cannot be loaded, with the loader's message.
    case library(String)
    /// Nobody listens at the address, or no route leads there.
    case unreachable
    case unknownHost
    case timedOut
    /// The server's certificate cannot be verified.
    case untrusted
    /// The CA certificates cannot be read.
    case certificateFile
    case malformedURL
    /// The answer has more bytes than are accepted.
    case tooLong
    /// libcurl's text for any other reason.
    case other(String)

    /// Returns `nil` for success.
    init?(_ code: CURLcode) {
        switch code {
        case CURLE_OK: return nil
        case CURLE_COULDNT_CONNECT: self = .unreachable
        case CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PEER_FAILED_VERIFICATION: self = .untrusted
        case CURLE_SSL_CACERT_BADFILE: self = .certificateFile
        case CURLE_URL_MALFORMAT: self = .malformedURL
        case CURLE_WRITE_ERROR: self = .tooLong
        default: self = .other(String(cString: ccurl_text(code)))
        }
    }
}
