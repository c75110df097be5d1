// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MQTT

@Suite struct BrokerURLTests {
    @Test(arguments: [
        ("mqtt://broker", false, "broker", 1_883, String?.none, "brightness", String?.none),
        ("mqtts://broker", true, "broker", 8_883, nil, "brightness", nil),
        ("MQTT://broker.example:99/", false, "broker.example", 99, nil, "brightness", nil),
        ("mqtts://lobby@broker/site/floor-2?node=lobby", true, "broker", 8_883, "lobby", "site/floor-2", "lobby"),
        ("mqtt://[::1]:1884/b", false, "::1", 1_884, nil, "b", nil),
        ("mqtt://[fe80::1]?node=a1b_c-d", false, "fe80::1", 1_883, nil, "brightness", "a1b_c-d"),
        ("mqtt://maria%40kiosk@10.0.0.1/b%20c", false, "10.0.0.1", 1_883, "maria@kiosk", "b c", nil),
    ])
    func `a URL contains the broker, the prefix and the node`(
        text: String,
        isEncrypted: Bool,
        host: String,
        port: Int,
        user: String?,
        prefix: String,
        node: String?
    ) throws {
        let url = try #require(BrokerURL(text))
        #expect(url.isEncrypted == isEncrypted)
        #expect((url.host, url.port) == (host, port))
        #expect(url.user == user)
        #expect(url.prefix == prefix)
        #expect(url.node?.text == node)
        #expect(!url.hasPassword)
    }

    @Test(arguments: [
        "broker", "http://broker", "mqtt://", "mqtt:///b", "mqtt://:1883", "mqtt://broker:0", "mqtt://broker:65536",
        "mqtt://broker:x", "mqtt://@broker", "mqtt://[::1", "mqtt://[::1]x", "mqtt://a b", "mqtt://broker/a//b",
        "mqtt://broker/a/+", "mqtt://broker/a/%23", "mqtt://broker/$SYS", "mqtt://broker/b?node=",
        "mqtt://broker/b?node=all",
        "mqtt://broker/b?node=a/b", "mqtt://broker/b?nodes=a", "mqtt://broker/b?node=a&node=b",
        "mqtt://broker/b?tags=a&tags=b",
        "mqtt://broker/b?node=a&", "mqtt://broker/b?tags=a&x=b", "mqtt://broker/b#c", "mqtt://broker/%zz",
        "mqtt://broker/%ff",
        "mqtt://broker/a%00b",
    ])
    func `an invalid URL is rejected`(text: String) {
        #expect(BrokerURL(text) == nil)
    }

    @Test func `a password is detected but not stored, and the description omits the user`() throws {
        let url = try #require(BrokerURL("mqtts://lobby:secret@broker/b"))
        #expect(url.hasPassword)
        #expect(url.user == "lobby")
        #expect(!"\(String(reflecting: url))".contains("secret"))
        #expect("\(url)" == "mqtts://broker:8883")
    }

    @Test(arguments: [
        ("mqtt://broker?node=lobby&tags=floor1,kiosk", "lobby", ["floor1", "kiosk"]),
        ("mqtt://broker?tags=floor%201", nil, ["floor 1"]), ("mqtt://broker?tags=a,&node=b", "b", ["a", ""]),
    ])
    func `the query has the node and its tags`(text: String, node: String?, tags: [String]) throws {
        let url = try #require(BrokerURL(text))
        #expect(url.node?.text == node)
        #expect(url.tags == tags)
    }
}
