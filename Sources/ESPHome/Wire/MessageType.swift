// SPDX-License-Identifier: Apache-2.0

/// The types of messages that the daemon reads or sends, with their numbers and names in `api.proto`.
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
}
