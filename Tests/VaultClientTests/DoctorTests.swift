// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc
import Testing
import VaultFormat
import VaultTesting

@testable import VaultClient

struct DoctorTests {
    private func header(_ slots: [(kind: UInt8, m: UInt32, t: UInt32, p: UInt32)]) -> [UInt8] {
        var bytes = Array("VLT1".utf8) + [0, 1] + [UInt8](repeating: 7, count: 32) + [UInt8(slots.count)]
        for slot in slots {
            let numbers = [slot.m, slot.t, slot.p].flatMap { number in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
            }
            bytes += [slot.kind] + [UInt8](repeating: 9, count: 16) + numbers + [UInt8](repeating: 0, count: 136)
        }
        return bytes + [UInt8](repeating: 0, count: 64)
    }

    @Test(
        arguments: [
            (262_144, 3, 4, DoctorCheck.State.ok), (65_536, 3, 4, .ok), (65_536, 3, 1, .ok), (65_535, 3, 4, .bad),
            (65_536, 2, 4, .bad),
            (65_536, 3, 0, .bad),
        ] as [(UInt32, UInt32, UInt32, DoctorCheck.State)])
    func theCostOfThePasswordIsJudged(_ m: UInt32, _ t: UInt32, _ p: UInt32, _ state: DoctorCheck.State) throws {
        let costs = try #require(KeyslotCheck.costs(header([(2, 0, 0, 0), (1, m, t, p)])))
        #expect(costs.count == 1)
        #expect(KeyslotCheck.judge(costs).state == state)
    }

    @Test func aVaultWithoutAPasswordHasNoCost() throws {
        #expect(KeyslotCheck.judge(try #require(KeyslotCheck.costs(header([(2, 0, 0, 0)])))).state == .ok)
    }

    @Test func everyPrefixOfAHeaderIsNone() {
        let whole = header([(1, 65_536, 3, 4), (2, 0, 0, 0)])
        for count in 0..<(39 + 2 * 165) { #expect(KeyslotCheck.costs(Array(whole[..<count])) == nil) }
        #expect(KeyslotCheck.costs(header([])) == nil)
        #expect(KeyslotCheck.costs([UInt8](repeating: 0xFF, count: 4096)) == nil)
    }

    @Test func filesThatOthersMayTouchAreBad() throws {
        let folder = TemporaryFolder()
        folder.write(header([(1, 65_536, 3, 4)]), to: "header")
        var options = GlobalOptions()
        options.vault = folder.path
        let location = try VaultLocation(options.vault)
        func states() -> [DoctorCheck.State] { VaultFileChecks.all(location).map(\.state) }
        #expect(states() == [.ok, .ok])
        unsafe chmod(folder.path + "/header", 0o640)
        #expect(states() == [.ok, .bad])
        unsafe chmod(folder.path + "/header", 0o600)
        unsafe chmod(folder.path, 0o750)
        #expect(states() == [.bad, .ok])
        unsafe chmod(folder.path, 0o700)
        folder.link("manifest", to: "/etc/passwd")
        #expect(states() == [.ok, .bad])
    }

    @Test func withoutAVaultTheWayToOneIsShown() throws {
        var options = GlobalOptions()
        options.vault = "/nowhere/at/all"
        let checks = VaultFileChecks.all(try VaultLocation(options.vault))
        #expect(checks.map(\.hint) == ["vault init"])
        #expect(checks.map(\.state) == [.warning])
    }

    @Test func anotherProgramOfTheSameNameIsBad() {
        let folder = TemporaryFolder()
        folder.write([1], to: "vault")
        folder.write([1], to: "other")
        folder.link("link", to: "vault")
        let (own, link, other) = (folder.path + "/vault", folder.path + "/link", folder.path + "/other")
        #expect(ProgramChecks.path(own: own, first: own).state == .ok)
        #expect(ProgramChecks.path(own: own, first: link).state == .ok)
        #expect(ProgramChecks.path(own: own, first: other).state == .bad)
        #expect(ProgramChecks.path(own: own, first: nil).state == .ok)
    }

    @Test func theKernelsSettingsAreJudged() {
        let proc = TemporaryFolder()
        for name in ["sys", "sys/kernel", "sys/kernel/yama"] { proc.make(name) }
        #expect(MachineChecks.ptrace(proc.path).state == .warning)
        proc.write(Array("0\n".utf8), to: "sys/kernel/yama/ptrace_scope")
        #expect(MachineChecks.ptrace(proc.path).state == .warning)
        proc.write(Array("1\n".utf8), to: "sys/kernel/yama/ptrace_scope")
        #expect(MachineChecks.ptrace(proc.path).state == .ok)
        proc.write(Array("core\n".utf8), to: "sys/kernel/core_pattern")
        #expect(MachineChecks.coreDumps(proc.path).state == .warning)
        proc.write(Array("|/usr/lib/systemd/systemd-coredump\n".utf8), to: "sys/kernel/core_pattern")
        #expect(MachineChecks.coreDumps(proc.path).state == .ok)
        #expect(MachineChecks.swap(isOpen: true).state == .warning)
        #expect(MachineChecks.memoryLock(byteCount: 65_536).state == .warning)
        #expect(MachineChecks.memoryLock(byteCount: .max).state == .ok)
        #expect(MachineChecks.clock(now: 0).state == .bad)
        #expect(MachineChecks.clock(now: 1_795_000_000).state == .ok)
    }

    @Test func aFullDiskIsBad() {
        #expect(PlaceChecks.room(freeByteCount: 1 << 20, isReadOnly: false).state == .bad)
        #expect(PlaceChecks.room(freeByteCount: 100 << 20, isReadOnly: false).state == .warning)
        #expect(PlaceChecks.room(freeByteCount: .max, isReadOnly: false).state == .ok)
        #expect(PlaceChecks.room(freeByteCount: .max, isReadOnly: true).state == .bad)
    }

    @Test(arguments: [40, 80, 200])
    func theReportFitsTheTerminal(_ columns: Int) {
        let report = DoctorReport(checks: [
            .ok("version", "vault 0.1"),
            .bad(
                "vault directory", "other users can look into a directory with a \u{1B} in its name, which is long",
                hint: "chmod 700 /a"),
            .warning("swap", "it is not encrypted: parts of open notes may reach that disk"),
        ])
        let lines = report.lines(columns: columns, color: false)
        #expect(lines.allSatisfy { $0.count <= columns && !$0.contains("\u{1B}") }, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("-> chmod 700 /a") })
        #expect(report.badCount == 1)
        #expect(
            report.json.hasPrefix("{\"schema\":1,\"healthy\":false,\"checks\":[{\"name\":\"version\",\"state\":\"ok\""))
    }

    @Test func aSyncProgramsCopiesAreCountedForEachProgram() {
        let names = [
            "header", "index-1.db", "header (1)", "manifest (2)", "index-1.sync-conflict-20260101-120000-ABC.db",
        ]
        let checks = VaultFileChecks.beside(names)
        #expect(checks.map(\.state) == [.warning, .warning])
        #expect(checks.first?.message.contains("Syncthing kept") == true)
        #expect(checks.last?.message.contains("2 files of the vault were") == true)
        #expect(VaultFileChecks.beside(["header", "index-1.db", "index-1.db-wal"]).isEmpty)
    }

    @Test func aFileSystemThatTwoMachinesReachIsWarnedOf() {
        #expect(PlaceChecks.fileSystem(FileSystemKind(number: 0xEF53)).state == .ok)
        #expect(PlaceChecks.fileSystem(FileSystemKind(number: 0x0102_1994)).message.contains("in memory"))
        let nfs = PlaceChecks.fileSystem(FileSystemKind(number: 0x6969))
        #expect(nfs.state == .warning && nfs.message.contains("NFS") && !nfs.hint.isEmpty)
    }
}
