import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { chooseAccount } from './account.ts'
import { binary, findBinaries, runnableBinaries } from './binaries.ts'
import {
  childrenOf,
  cleanUp,
  IS_ROOT,
  isRunning,
  kill,
  later,
  mountSmallDisk,
  newFolder,
  processList,
  postmasterPid,
  query,
  spawnHolder,
  start,
  until,
} from './launcher-sandbox.ts'
import { findProcess } from './processes.ts'

afterEach(cleanUp)

async function heldDatabase(): Promise<{
  dataDir: string
  holder: ReturnType<typeof spawnHolder>
  pid: number
}> {
  const dataDir = path.join(newFolder(), 'postgres')
  const server = await start(dataDir)
  await query(server, 'create table kept as select 42 as answer')
  await server.stop()
  const holder = spawnHolder(dataDir)
  await until(() => holder.output().includes('READY'))
  return { dataDir, holder, pid: postmasterPid(dataDir) }
}

async function expectKept(dataDir: string): Promise<void> {
  expect(await query(await start(dataDir), 'select answer from kept')).toEqual([{ answer: 42 }])
}

/** Sets the number in a stopped server's pid file, as a crash would leave it. */
async function leavePidFile(dataDir: string, pid: number): Promise<void> {
  const server = await start(dataDir)
  await query(server, 'create table if not exists kept as select 42 as answer')
  const text = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8')
  const { uid, gid } = fs.statSync(path.join(dataDir, 'postmaster.pid'))
  await server.stop()
  fs.writeFileSync(path.join(dataDir, 'postmaster.pid'), text.replace(/^\d+/, String(pid)), { mode: 0o600 })
  fs.chownSync(path.join(dataDir, 'postmaster.pid'), uid, gid)
}

describe('kills', () => {
  test('a killed parent leaves no orphan', async () => {
    const { dataDir, holder, pid } = await heldDatabase()
    await kill(holder)
    await until(() => !isRunning(pid))
    await expectKept(dataDir)
  })

  test('a parent killed in the first moments of a start leaves no orphan', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    await start(dataDir).then((server) => server.stop())
    for (const delayMs of [0, 1, 2, 4, 8, 16]) {
      // A kill from outside would hardly ever hit the moment, so the parent kills itself right after its spawn.
      const holder = spawnHolder(
        dataDir,
        `const children = process.getBuiltinModule('node:child_process')
        const { spawn } = children
        children.spawn = (...args) => {
          setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${delayMs})
          return spawn(...args)
        }
        process.getBuiltinModule('node:module').syncBuiltinESMExports()
        await startEmbeddedPostgres({ dataDir, log() {} })`,
      )
      await holder.exited
      expect(holder.output()).toBe('')
      await until(() => !processList().includes(`-D ${dataDir}`))
    }
  })

  test('a start right after the kill waits for the old server to end', async () => {
    const { dataDir, holder } = await heldDatabase()
    await kill(holder)
    await expectKept(dataDir)
  })

  test('when parent and supervisor are both killed, the next start stops the orphan and continues', async () => {
    const { dataDir, holder, pid } = await heldDatabase()
    const [supervisor = 0] = childrenOf(holder.child.pid ?? 0)
    const readers = childrenOf(supervisor).filter((child) => child !== pid)
    expect(readers).toHaveLength(1)
    for (const victim of [...readers, supervisor]) process.kill(victim, 'SIGKILL')
    await kill(holder)
    await sleep(300)
    expect(isRunning(pid)).toBe(true)
    await expectKept(dataDir)
    expect(isRunning(pid)).toBe(false)
  })

  test('when all processes are killed at once, the next start recovers', async () => {
    const { dataDir, holder, pid } = await heldDatabase()
    const [supervisor = 0] = childrenOf(holder.child.pid ?? 0)
    spawnSync('kill', ['-KILL', ...[supervisor, pid, ...childrenOf(pid)].map(String)])
    await kill(holder)
    await expectKept(dataDir)
  })

  test('a kill in the middle of the first set-up leaves no half database', async () => {
    for (const delayMs of [30, 120, 250, 400]) {
      const folder = newFolder()
      const dataDir = path.join(folder, 'postgres')
      const holder = spawnHolder(dataDir)
      await until(() => fs.readdirSync(folder).some((name) => name.startsWith('postgres.init-')))
      await sleep(delayMs)
      await kill(holder)
      const server = await start(dataDir)
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(fs.readdirSync(folder).toSorted()).toEqual(['postgres', 'postgres.owner'])
    }
  })
})

describe('stale pid files', () => {
  test('one that names another kind of living process is no obstacle, and that process lives on', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    await start(dataDir).then((server) => server.stop())
    const account = await chooseAccount(dataDir)
    const bystander = spawn('sleep', ['600'], { ...account, cwd: '/' })
    later(() => bystander.kill())
    await leavePidFile(dataDir, bystander.pid ?? 0)
    await expectKept(dataDir)
    expect(isRunning(bystander.pid ?? 0)).toBe(true)
  })

  test('one that names another directory’s PostgreSQL is no obstacle, and that server lives on', async () => {
    const folder = newFolder()
    const other = await start(path.join(folder, 'other'))
    const dataDir = path.join(folder, 'postgres')
    await leavePidFile(dataDir, postmasterPid(path.join(folder, 'other')))
    await expectKept(dataDir)
    expect(await query(other, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('one that names no process is no obstacle', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    await leavePidFile(dataDir, 4_000_000)
    await expectKept(dataDir)
  })

  test('a PostgreSQL that somebody started by hand on the directory is left alone', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    await start(dataDir).then((server) => server.stop())
    const account = await chooseAccount(dataDir)
    const binaries = await runnableBinaries(findBinaries(), account, dataDir)
    const args = ['-D', dataDir, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${dataDir}`]
    const byHand = spawn(binary(binaries, 'postgres'), args, { ...account, cwd: '/', stdio: 'ignore' })
    later(async () => {
      byHand.kill('SIGINT')
      await until(() => byHand.exitCode !== null)
    })
    await until(() => fs.existsSync(path.join(dataDir, '.s.PGSQL.5432')))
    await expect(start(dataDir)).rejects.toThrow(
      `did not start (process ${byHand.pid}) has the database in ${dataDir} open`,
    )
    expect(isRunning(byHand.pid ?? 0)).toBe(true)
  })

  test('an owner file with the number of another living process is no obstacle', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    const bystander = spawn('sleep', ['600'])
    later(() => bystander.kill())
    fs.writeFileSync(`${dataDir}.owner`, `${bystander.pid}\n1\n`)
    await start(dataDir)
    expect(isRunning(bystander.pid ?? 0)).toBe(true)
  })

  test('an owner file with our own number, as a restarted container leaves it, is no obstacle', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    fs.writeFileSync(`${dataDir}.owner`, `${process.pid}\n${findProcess(process.pid)?.startedAt}\n`)
    await start(dataDir)
  })
})

describe('disks and rights', () => {
  test('a full disk at the first start is named, and with more room the start works', async ({ skip }) => {
    const disk = mountSmallDisk(20)
    if ('reason' in disk) return skip(disk.reason)
    const dataDir = path.join(disk.folder, 'data', 'postgres')
    await expect(start(dataDir)).rejects.toThrow(
      `The disk that holds ${dataDir} is full. Free at least 200 MB`,
    )
    expect(fs.readdirSync(path.join(disk.folder, 'data'))).toEqual([])
    spawnSync('mount', ['-o', 'remount,size=200m', disk.folder])
    await start(dataDir)
  })

  test('a disk that is full at a later start is named, and nothing is lost', async ({ skip }) => {
    const disk = mountSmallDisk(120)
    if ('reason' in disk) return skip(disk.reason)
    const dataDir = path.join(disk.folder, 'postgres')
    const server = await start(dataDir)
    await query(server, 'create table kept as select 42 as answer')
    await server.stop()
    const filler = path.join(disk.folder, 'filler')
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], { stdio: 'ignore' })
    await expect(start(dataDir)).rejects.toThrow(`The disk that holds ${dataDir} is full.`)
    fs.rmSync(filler)
    await expectKept(dataDir)
  })

  test('a read-only disk is named, at the first start and later, and nothing is lost', async ({ skip }) => {
    const disk = mountSmallDisk(120)
    if ('reason' in disk) return skip(disk.reason)
    const dataDir = path.join(disk.folder, 'postgres')
    const remount = (mode: string) => spawnSync('mount', ['-o', `remount,${mode}`, disk.folder])
    remount('ro')
    await expect(start(dataDir)).rejects.toThrow(
      `${dataDir} lies on a read-only file system. Mount it writable`,
    )
    remount('rw')
    const server = await start(dataDir)
    await query(server, 'create table kept as select 42 as answer')
    await server.stop()
    remount('ro')
    await expect(start(dataDir)).rejects.toThrow(
      `${dataDir} lies on a read-only file system. Mount it writable`,
    )
    remount('rw')
    await expectKept(dataDir)
  })

  test.skipIf(IS_ROOT)('a folder without the right to write is named', async () => {
    const folder = newFolder()
    fs.chmodSync(folder, 0o500)
    later(() => fs.chmodSync(folder, 0o700))
    await expect(start(path.join(folder, 'postgres'))).rejects.toThrow(
      'cannot be written by the user this runs as',
    )
  })

  test.runIf(IS_ROOT)(
    'as root in a root-only folder, a reachable place is chosen, reported, and found again',
    async () => {
      const wanted = path.join(newFolder(0o700), 'data', 'postgres')
      const lines: string[] = []
      const server = await start(wanted, { log: (line) => lines.push(line) })
      later(() => fs.rmSync(path.dirname(server.dataDir), { recursive: true, force: true }))
      expect(server.dataDir).toMatch(/\/cellarhand-[0-9a-f]{12}\/postgres$/)
      expect(lines).toContain(
        `The database lies in ${server.dataDir}, because ${wanted} can be reached by root only.`,
      )
      await query(server, 'create table kept as select 42 as answer')
      await server.stop()
      await expectKept(wanted)
    },
  )

  test.runIf(IS_ROOT)(
    'a database in a folder that became unreadable is not replaced by an empty one',
    async () => {
      const folder = newFolder()
      const dataDir = path.join(folder, 'postgres')
      await start(dataDir).then((server) => server.stop())
      fs.chmodSync(folder, 0o700)
      await expect(start(dataDir)).rejects.toThrow('Open it with chmod a+x on the folders above')
    },
  )

  test.runIf(IS_ROOT)('binaries that only root can read are copied, with their links', async () => {
    const folder = newFolder()
    const closed = newFolder(0o700)
    fs.cpSync(findBinaries().native, path.join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
    fs.rmSync(path.join(closed, 'native/lib/libpq.so.5'))
    fs.chmodSync(path.join(closed, 'native/share/postgresql/postgres.bki'), 0o600)
    fs.mkdirSync(path.join(folder, 'postgres.bin-17.0'))
    const account = await chooseAccount(path.join(folder, 'postgres'))
    const found = { native: path.join(closed, 'native'), version: '18.4', major: '18' }
    const copy = await runnableBinaries(found, account, path.join(folder, 'postgres'))
    const said = spawnSync(binary(copy, 'initdb'), ['--version'], { ...account, cwd: '/', encoding: 'utf8' })
    expect(said.stdout).toContain('18.4')
    expect(fs.existsSync(path.join(copy.native, 'lib/libpq.so.5'))).toBe(true)
    expect(fs.statSync(path.join(copy.native, 'share/postgresql/postgres.bki')).mode & 0o777).toBe(0o644)
    expect(fs.readdirSync(folder)).toEqual(['postgres.bin-18.4'])
  })
})
