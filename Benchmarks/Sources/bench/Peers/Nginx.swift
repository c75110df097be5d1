// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Load

/// nginx, one process: a constant answer, and with Nchan a channel of events and WebSockets.
///
/// Its own configuration in a directory of its own; what Debian installs is not touched.
struct Nginx: EventPeer, StatePeer {
    static let program = "/usr/sbin/nginx"
    private static let nchan = "/usr/lib/nginx/modules/ngx_nchan_module.so"

    let name: String
    let command: [String]
    let port: UInt16?
    let kind: StreamCrowd.Kind
    let state = Request("GET", "/state", accept: "application/json")
    private let event: ObservedEvent

    /// - Parameter directory: Must exist; its configuration is written there.
    init(
        named name: String,
        in directory: String,
        _ kind: StreamCrowd.Kind = .events,
        event: ObservedEvent = .example,
        document: DocumentShape = .example
    ) throws {
        let port = try Socket.freePort()
        self.name = name
        self.port = port
        self.kind = kind
        self.event = event
        let home = directory + "/nginx-\(port)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let file = home + "/nginx.conf"
        try Self.configuration(home: home, port: port, document: document).write(
            toFile: file,
            atomically: false,
            encoding: .utf8
        )
        command = [Self.program, "-p", home, "-e", "stderr", "-c", file]
    }

    static var isInstalled: Bool {
        [program, nchan].allSatisfy { FileManager.default.isReadableFile(atPath: $0) }
    }

    var stream: Request {
        switch kind {
        case .events: Request("GET", "/v1/events", accept: "text/event-stream")
        case .webSockets: .webSocket("/v1/events")
        }
    }

    func change(to step: Int) -> Request {
        Request("PUT", "/publish", fields: [("X-EventSource-Event", "state")], body: event.data(step))
    }

    private static func configuration(home: String, port: UInt16, document: DocumentShape) -> String {
        """
        load_module \(nchan);
        daemon off;
        master_process off;
        pid \(home)/pid;
        worker_rlimit_nofile 20000;
        events { worker_connections 19900; use epoll; }
        http {
          access_log off;
          keepalive_requests 1000000000;
          default_type \(document.contentType);
          client_body_temp_path \(home)/body; proxy_temp_path \(home)/proxy; fastcgi_temp_path \(home)/fastcgi;
          uwsgi_temp_path \(home)/uwsgi; scgi_temp_path \(home)/scgi;
          nchan_shared_memory_size 256M;
          server {
            listen 127.0.0.1:\(port) backlog=4096;
            location = /state { return 200 "\(String(repeating: "x", count: document.length))"; }
            location = /v1/events {
              nchan_subscriber eventsource websocket; nchan_channel_id display; nchan_subscriber_first_message -1;
            }
            location = /publish {
              nchan_publisher; nchan_channel_id display; nchan_message_buffer_length 1; nchan_message_timeout 0;
            }
          }
        }
        """
    }
}
