// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import ESPHome

/// The numbers of messages and fields, against `messages.txt`. The end-to-end tests compare that file with the client
/// library of Home Assistant.
@Suite struct MessageTableTests {
    private struct Described {
        let number: Int
        let fields: [String: Int]
    }

    private let messages: [String: Described]

    init() throws {
        let path = #filePath.replacing("MessageTableTests.swift", with: "messages.txt")
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        var messages: [String: Described] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            var fields: [String: Int] = [:]
            for word in words.dropFirst(2) {
                let parts = word.split { "=:".contains($0) }
                fields[String(parts[0])] = Int(parts[1])
            }
            messages[String(words[1])] = Described(number: try #require(Int(words[0])), fields: fields)
        }
        self.messages = messages
    }

    @Test(arguments: MessageType.allCases)
    func `a message has its number`(type: MessageType) {
        #expect(messages["\(type)".capitalized]?.number == type.rawValue)
    }

    @Test func `every field has its number`() {
        check(HelloRequestField.self, of: "HelloRequest")
        check(HelloResponseField.self, of: "HelloResponse")
        check(DeviceInfo.Field.self, of: "DeviceInfoResponse")
        check(DeviceInfo.DeviceField.self, of: "DeviceInfo")
        check(ListLightField.self, of: "ListEntitiesLightResponse")
        check(ListSwitchField.self, of: "ListEntitiesSwitchResponse")
        check(ListButtonField.self, of: "ListEntitiesButtonResponse")
        check(ListBinarySensorField.self, of: "ListEntitiesBinarySensorResponse")
        check(ListTextSensorField.self, of: "ListEntitiesTextSensorResponse")
        check(ListSensorField.self, of: "ListEntitiesSensorResponse")
        check(LightStateField.self, of: "LightStateResponse")
        check(SwitchStateField.self, of: "SwitchStateResponse")
        check(BinarySensorStateField.self, of: "BinarySensorStateResponse")
        check(TextSensorStateField.self, of: "TextSensorStateResponse")
        check(SensorStateField.self, of: "SensorStateResponse")
        check(LightCommand.Field.self, of: "LightCommandRequest")
        check(SwitchCommandField.self, of: "SwitchCommandRequest")
        check(ButtonCommandField.self, of: "ButtonCommandRequest")
        check(ListEventField.self, of: "ListEntitiesEventResponse")
        check(EventField.self, of: "EventResponse")
        check(ListActionField.self, of: "ListEntitiesServicesResponse")
        check(ActionArgument.Field.self, of: "ListEntitiesServicesArgument")
        check(ActionCall.Field.self, of: "ExecuteServiceRequest")
        check(ActionValue.Field.self, of: "ExecuteServiceArgument")
        check(ActionResultField.self, of: "ExecuteServiceResponse")
        check(SetKeyField.self, of: "NoiseEncryptionSetKeyRequest")
        check(KeyResultField.self, of: "NoiseEncryptionSetKeyResponse")
        check(PushRequestField.self, of: "SubscribeHomeAssistantStateResponse")
        check(PushedState.Field.self, of: "HomeAssistantStateResponse")
    }

    private func check<Field: MessageField>(_: Field.Type, of name: String) {
        for field in Field.allCases {
            #expect(messages[name]?.fields["\(field)".withUnderscores] == field.rawValue, "\(name).\(field)")
        }
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }

    fileprivate var withUnderscores: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
