// SPDX-License-Identifier: Apache-2.0

/// The value of an action's argument: one of the two, by its kind.
struct ActionValue: Equatable {
    let number: Float
    let text: String
}

struct ActionCall: Equatable {
    /// The maximum number of arguments that are read; actions have fewer.
    private static let longest = 16

    let key: UInt32
    let values: [ActionValue]
    /// The number of the expected response; 0 if the client expects none.
    let id: UInt32

    init(_ fields: MessageFields) throws(ProtobufReader.Malformed) {
        (key, id) = (fields.fixed(.key), fields.unsigned(.callId))
        var values: [ActionValue] = []
        for part in fields.all(.args) {
            guard let data = part.data, values.count < Self.longest else { throw ProtobufReader.Malformed() }
            let value = try MessageFields(.executeServiceArgument, data)
            values.append(ActionValue(number: value.float(.float_), text: value.text(.string_)))
        }
        self.values = values
    }
}
