// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ForeignCrypto
internal import Glibc
internal import SecretMemory

/// `SealedFileOpening` opens one age file for an import and ends. A process of its own for each file, without a vault:
/// what reads a stranger's header is near no other key, and the content goes from its locked memory through a pipe,
/// never to a disk.
public enum SealedFileOpening {
    private static let identityByteCountMax = 64 << 10
    private static let identityCountMax = 100
    private static let pieceByteCount = 64 << 10

    /// Returns whether this process was started for that.
    public static func isWanted(_ words: [String]) -> Bool { words.count == 3 && words[1] == SealedFileExit.command }

    /// Decrypts the age file on standard input, and returns the exit code.
    public static func run(_ words: [String]) -> Int32 {
        do throws(AgeError) {
            let reader: AgeReader
            switch words[2] {
            case SealedFileExit.identities:
                guard let text = secret() else { return SealedFileExit.badIdentity.rawValue }
                guard !isSealed(text) else { return SealedFileExit.sealedIdentity.rawValue }
                reader = try AgeReader(identities: identities(text), descriptor: STDIN_FILENO)
            case SealedFileExit.passphrase:
                guard let text = secret() else { return SealedFileExit.noMatch.rawValue }
                reader = try AgeReader(passphrase: AgePassphrase(text), descriptor: STDIN_FILENO)
            default: return SealedFileExit.unsupported.rawValue
            }
            return try deliver(reader).rawValue
        } catch { return exit(error).rawValue }
    }

    private static func deliver(_ reader: AgeReader) throws(AgeError) -> SealedFileExit {
        var piece = SecretBytes(zeroes: pieceByteCount)
        while true {
            let count = try unsafe piece.withUnsafeMutableBytes { target throws(AgeError) in
                try unsafe reader.read(into: target)
            }
            if count == 0 { return .done }
            guard unsafe piece.withUnsafeBytes({ unsafe write($0, count) }) else { return .inputOutput }
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Bool {
        var done = 0
        while done < count {
            let put = unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress! + done, count - done)
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { return false }
            done += put
        }
        return true
    }

    /// Reads all of descriptor 3, without moving its position where it is a file: other processes read it too.
    private static func secret() -> SecretBytes? {
        var buffer = SecretBytes(zeroes: identityByteCountMax + 1)
        let isSeekable = lseek(SealedFileExit.secretDescriptor, 0, SEEK_CUR) >= 0
        var count = 0
        while count < identityByteCountMax + 1 {
            let got = unsafe buffer.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                return isSeekable
                    ? unsafe pread(SealedFileExit.secretDescriptor, rest.baseAddress!, rest.count, off_t(count))
                    : unsafe read(SealedFileExit.secretDescriptor, rest.baseAddress!, rest.count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        guard count > 0, count <= identityByteCountMax else { return nil }
        return unsafe buffer.withUnsafeBytes { bytes in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func isSealed(_ text: borrowing SecretBytes) -> Bool {
        unsafe text.withUnsafeBytes { bytes in
            unsafe bytes.starts(with: "age-encryption.org/".utf8) || bytes.starts(with: "-----BEGIN AGE".utf8)
        }
    }

    /// Reads one identity on each line; lines that are empty or begin with "#" say nothing.
    private static func identities(_ text: borrowing SecretBytes) throws(AgeError) -> [AgeIdentity] {
        var ranges: [Range<Int>] = []
        unsafe text.withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count {
                let end = unsafe bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
                var (begin, stop) = (at, end)
                while begin < stop, unsafe bytes[begin] <= 0x20 { begin += 1 }
                while stop > begin, unsafe bytes[stop - 1] <= 0x20 { stop -= 1 }
                if begin < stop, unsafe bytes[begin] != UInt8(ascii: "#") { ranges.append(begin..<stop) }
                at = end + 1
            }
        }
        guard !ranges.isEmpty, ranges.count <= identityCountMax else { throw AgeError(.badKey) }
        var found: [AgeIdentity] = []
        for range in ranges {
            let line = unsafe text.withUnsafeBytes { bytes in
                unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
            found.append(try AgeIdentity(parsing: line))
        }
        return found
    }

    private static func exit(_ error: AgeError) -> SealedFileExit {
        switch error.code {
        case .noMatch: .noMatch
        case .damaged, .tooLarge: .damaged
        case .unsupported: .unsupported
        case .tooExpensive: .tooExpensive
        case .badKey: .badIdentity
        case .inputOutput: .inputOutput
        case .libraryFailure: .failSafe
        }
    }
}
