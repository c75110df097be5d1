// SPDX-License-Identifier: Apache-2.0

/// Assigns every element of a stream to a property, until it is cancelled or released.
///
/// Holds the property's owner weakly: a binding does not keep the owner alive, and ends with it.
package final class Binding: Sendable {
    private let task: Task<Void, Never>

    package init<Owner: AnyObject & Sendable, Values: AsyncSequence & Sendable>(
        _ values: Values,
        to keyPath: any ReferenceWritableKeyPath<Owner, Values.Element> & Sendable,
        of owner: Owner
    ) where Values.Element: Sendable, Values.Failure == Never {
        task = Task { [weak owner] in
            for await value in values {
                guard let owner, !Task.isCancelled else { return }
                owner[keyPath: keyPath] = value
            }
        }
    }

    package func cancel() { task.cancel() }

    /// Waits for the end of the stream. Cancelling the waiting task cancels the binding.
    func wait() async {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    deinit { task.cancel() }
}
