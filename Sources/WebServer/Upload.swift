// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import NIOConcurrencyHelpers
internal import NIOCore

/// `Upload` carries a large body from its connection to a worker, a few pieces ahead and no more.
final class Upload: Sendable {
    private static let heldByteCountMax = 2 << 20

    private struct State {
        var pieces: [ByteBuffer] = []
        var byteCount = 0
        var isOver = false
        var isWhole = false
        var isPaused = false
    }

    /// As announced.
    let byteCount: UInt64
    private let channel: any NIOCore.Channel
    private let whenOver: @Sendable () -> Void
    private let state: NIOLockedValueBox<State>
    private let news = ConditionLock(value: 0)

    init(_ channel: any NIOCore.Channel, _ byteCount: UInt64, whenOver: @escaping @Sendable () -> Void) {
        (self.channel, self.byteCount, self.whenOver) = (channel, byteCount, whenOver)
        state = NIOLockedValueBox(State())
    }

    deinit { whenOver() }

    /// Takes a piece: on the connection's loop.
    func push(_ bytes: ByteBuffer) {
        let mustPause = state.withLockedValue { state in
            state.pieces.append(bytes)
            state.byteCount += bytes.readableBytes
            guard state.byteCount > Self.heldByteCountMax, !state.isPaused else { return false }
            state.isPaused = true
            return true
        }
        if mustPause { channel.setOption(.autoRead, value: false).whenFailure { _ in } }
        wake()
    }

    func end(isWhole: Bool) {
        state.withLockedValue { state in
            guard !state.isOver else { return }
            (state.isOver, state.isWhole) = (true, isWhole)
        }
        wake()
    }

    /// Waits for the next piece; nil at the end.
    func next() -> ByteBuffer? {
        while true {
            let (piece, isOver, resumes) = state.withLockedValue { state -> (ByteBuffer?, Bool, Bool) in
                guard !state.pieces.isEmpty else { return (nil, state.isOver, false) }
                let piece = state.pieces.removeFirst()
                state.byteCount -= piece.readableBytes
                let resumes = state.isPaused && state.byteCount <= Self.heldByteCountMax / 2
                if resumes { state.isPaused = false }
                return (piece, false, resumes)
            }
            if resumes {
                channel.setOption(.autoRead, value: true).whenFailure { _ in }
                channel.read()
            }
            if let piece { return piece }
            if isOver { return nil }
            if news.lock(whenValue: 1, timeoutSeconds: 30) {
                news.unlock(withValue: 0)
            } else {
                // Nothing came for so long: its sender is gone, whatever the connection says.
                end(isWhole: false)
            }
        }
    }

    /// Whether everything came.
    var isWhole: Bool { state.withLockedValue { $0.isOver && $0.isWhole } }

    private func wake() {
        news.lock()
        news.unlock(withValue: 1)
    }
}
