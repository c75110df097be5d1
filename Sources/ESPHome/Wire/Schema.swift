// SPDX-License-Identifier: Apache-2.0

/// The messages that the daemon reads or sends, with their numbers and names in `api.proto`. The parts of messages have
/// no number there.
///
/// - SeeAlso: https://github.com/esphome/aioesphomeapi/blob/main/aioesphomeapi/api.proto
enum MessageType: Int, CaseIterable {
    case helloRequest = 1
    case helloResponse = 2
    case authenticationRequest = 3
    case authenticationResponse = 4
    case disconnectRequest = 5
    case disconnectResponse = 6
    case pingRequest = 7
    case pingResponse = 8
    case deviceInfoRequest = 9
    case deviceInfoResponse = 10
    case listEntitiesRequest = 11
    case listEntitiesBinarySensorResponse = 12
    case listEntitiesLightResponse = 15
    case listEntitiesSensorResponse = 16
    case listEntitiesSwitchResponse = 17
    case listEntitiesTextSensorResponse = 18
    case listEntitiesDoneResponse = 19
    case subscribeStatesRequest = 20
    case binarySensorStateResponse = 21
    case lightStateResponse = 24
    case sensorStateResponse = 25
    case switchStateResponse = 26
    case textSensorStateResponse = 27
    case lightCommandRequest = 32
    case switchCommandRequest = 33
    case subscribeHomeAssistantStatesRequest = 38
    case subscribeHomeAssistantStateResponse = 39
    case homeAssistantStateResponse = 40
    case listEntitiesServicesResponse = 41
    case executeServiceRequest = 42
    case listEntitiesButtonResponse = 61
    case buttonCommandRequest = 62
    case listEntitiesEventResponse = 107
    case eventResponse = 108
    case noiseEncryptionSetKeyRequest = 124
    case noiseEncryptionSetKeyResponse = 125
    case executeServiceResponse = 131
    case deviceInfo = -1
    case listEntitiesServicesArgument = -2
    case executeServiceArgument = -3

    typealias Values = [(field: MessageField, value: WireValue)]

    /// The numbers of the fields of each message.
    static let fields: [MessageType: [MessageField: Int]] = [
        .helloRequest: [.clientInfo: 1],
        .helloResponse: [.apiVersionMajor: 1, .apiVersionMinor: 2, .serverInfo: 3, .name: 4],
        .deviceInfoResponse: [
            .name: 2, .macAddress: 3, .esphomeVersion: 4, .model: 6, .projectName: 8, .projectVersion: 9,
            .webserverPort: 10, .manufacturer: 12, .friendlyName: 13, .apiEncryptionSupported: 19, .devices: 20,
            .apiEncryptionProvisionable: 26,
        ],
        .deviceInfo: [.deviceId: 1, .name: 2],
        .listEntitiesBinarySensorResponse: [
            .objectId: 1, .key: 2, .name: 3, .icon: 8, .entityCategory: 9, .deviceId: 10,
        ],
        .listEntitiesLightResponse: [
            .objectId: 1, .key: 2, .name: 3, .supportedColorModes: 12, .icon: 14, .entityCategory: 15, .deviceId: 16,
        ],
        .listEntitiesSensorResponse: [
            .objectId: 1, .key: 2, .name: 3, .icon: 5, .unitOfMeasurement: 6, .accuracyDecimals: 7, .deviceClass: 9,
            .stateClass: 10, .entityCategory: 13, .deviceId: 14,
        ],
        .listEntitiesSwitchResponse: [
            .objectId: 1, .key: 2, .name: 3, .icon: 5, .entityCategory: 8, .deviceId: 10,
        ],
        .listEntitiesTextSensorResponse: [
            .objectId: 1, .key: 2, .name: 3, .icon: 5, .entityCategory: 7, .deviceId: 9,
        ],
        .listEntitiesButtonResponse: [
            .objectId: 1, .key: 2, .name: 3, .icon: 5, .entityCategory: 7, .deviceId: 9,
        ],
        .listEntitiesEventResponse: [
            .objectId: 1, .key: 2, .name: 3, .icon: 5, .entityCategory: 7, .eventTypes: 9, .deviceId: 10,
        ],
        .listEntitiesServicesResponse: [.name: 1, .key: 2, .args: 3, .supportsResponse: 4],
        .listEntitiesServicesArgument: [.name: 1, .type: 2],
        .binarySensorStateResponse: [.key: 1, .state: 2, .deviceId: 4],
        .lightStateResponse: [.key: 1, .state: 2, .brightness: 3, .colorMode: 11, .deviceId: 14],
        .sensorStateResponse: [.key: 1, .state: 2, .missingState: 3, .deviceId: 4],
        .switchStateResponse: [.key: 1, .state: 2, .deviceId: 3],
        .textSensorStateResponse: [.key: 1, .state: 2, .deviceId: 4],
        .eventResponse: [.key: 1, .eventType: 2, .deviceId: 3],
        .lightCommandRequest: [
            .key: 1, .hasState: 2, .state: 3, .hasBrightness: 4, .brightness: 5, .hasTransitionLength: 14,
            .transitionLength: 15,
        ],
        .switchCommandRequest: [.key: 1, .state: 2],
        .buttonCommandRequest: [.key: 1],
        .subscribeHomeAssistantStateResponse: [.entityId: 1],
        .homeAssistantStateResponse: [.entityId: 1, .state: 2, .attribute: 3],
        .executeServiceRequest: [.key: 1, .args: 2, .callId: 3],
        .executeServiceArgument: [.float_: 3, .string_: 4],
        .executeServiceResponse: [.callId: 1, .success: 2, .errorMessage: 3],
        .noiseEncryptionSetKeyRequest: [.key: 1],
        .noiseEncryptionSetKeyResponse: [.success: 1],
    ]

    /// Encodes a message of this type. As proto3 does, it leaves out fields with the default of their type. No element
    /// of a repeated field is empty.
    func encode(_ values: Values) -> [UInt8] {
        let numbers = Self.fields[self] ?? [:]
        return values.reduce(into: []) { bytes, entry in
            guard let number = numbers[entry.field] else { preconditionFailure("\(self) has no \(entry.field)") }
            entry.value.append(as: number, to: &bytes)
        }
    }
}

/// The fields that the daemon reads or writes, with their names in `api.proto`, two of which end with `_`.
enum MessageField {
    case accuracyDecimals, apiEncryptionProvisionable, apiEncryptionSupported, apiVersionMajor, apiVersionMinor, args
    case attribute, brightness, callId, clientInfo, colorMode, deviceClass, deviceId, devices, entityCategory, entityId
    case errorMessage, esphomeVersion, eventType, eventTypes, float_, friendlyName, hasBrightness, hasState
    case hasTransitionLength, icon, key, macAddress, manufacturer, missingState, model, name, objectId, projectName
    case projectVersion, serverInfo, state, stateClass, string_, success, supportedColorModes, supportsResponse
    case transitionLength, type, unitOfMeasurement, webserverPort
}

/// The fields of a message that the daemon knows. The last value of a field counts. One of another wire type counts as
/// missing, and a missing one is the default.
struct MessageFields {
    private let numbers: [MessageField: Int]
    private var values: [Int: [WireValue]] = [:]

    /// A message without fields in the table is not parsed.
    init(_ type: MessageType, _ bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) {
        numbers = MessageType.fields[type] ?? [:]
        if numbers.isEmpty { return }
        let known = Set(numbers.values)
        var reader = ProtobufReader(bytes)
        while let (number, value) = try reader.next() {
            if known.contains(number) { values[number, default: []].append(value) }
        }
    }

    /// Every value of a repeated field.
    func all(_ field: MessageField) -> [WireValue] { numbers[field].flatMap { values[$0] } ?? [] }

    func bool(_ field: MessageField) -> Bool { varint(field) != 0 }

    /// The value of an unsigned type of at most 32 bits. Decoders keep the lower 32 bits.
    func unsigned(_ field: MessageField) -> UInt32 { UInt32(truncatingIfNeeded: varint(field)) }

    func fixed(_ field: MessageField) -> UInt32 {
        if case .fixed32(let number)? = all(field).last { number } else { 0 }
    }

    func float(_ field: MessageField) -> Float { Float(bitPattern: fixed(field)) }

    /// The text, with invalid UTF-8 replaced.
    func text(_ field: MessageField) -> String {
        all(field).last?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func varint(_ field: MessageField) -> UInt64 {
        if case .varint(let number)? = all(field).last { number } else { 0 }
    }
}
