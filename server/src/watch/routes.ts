import * as pushLines from '@cellarhand/contract/push'
import * as lines from '@cellarhand/contract/watch'
import type { Database } from '#platform/db/database.ts'
import { createCommands, createSystemCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { makePushKey } from './commands/make-push-key.ts'
import { removePushDevice } from './commands/remove-push-device.ts'
import { reportScreen } from './commands/report-screen.ts'
import { saveWatch } from './commands/save-watch.ts'
import { savePushDevice } from './commands/save-push-device.ts'
import { takeDuty } from './commands/take-duty.ts'
import { listDevices } from './push/list-devices.ts'
import type { PushPolicy } from './push/push-address.ts'
import { isRefusedDevice } from './push/refused-device.ts'
import { getOnDuty, getWatch, renewWithinMs } from './reads.ts'

export function serveWatch(http: Http, db: Database): void {
  http.serve(lines.getWatch, ({ caller: { merchantId } }) =>
    db.read(merchantId, (statements) => getWatch(statements, merchantId)),
  )
  http.serve(lines.getOnDuty, ({ caller }) =>
    db.read(caller.merchantId, (statements) => getOnDuty(statements, caller)),
  )
  const { command } = createCommands(http, { db })
  command(lines.takeDuty, (statements, { caller, body }) => takeDuty(statements, caller, body))
  command(lines.updateWatch, (statements, { merchantId, body }) => saveWatch(statements, merchantId, body))
  command(lines.reportScreen, async (statements, { caller, body }) => {
    await reportScreen(statements, caller, body)
    return { renew_within_ms: renewWithinMs }
  })
}

/** The caller's own devices, to which the messages of the watch and of late orders go. */
export function servePush(http: Http, db: Database, push: PushPolicy): void {
  http.serve(pushLines.listPushDevices, async ({ caller, query: { device } }) => {
    const listed = await db.read(caller.merchantId, (statements) => listDevices(statements, caller))
    const isKnown = device === undefined || listed.devices.some(({ id }) => id === device)
    if (isKnown || !(await isRefusedDevice(db, caller.merchantId, device))) return listed
    return { ...listed, is_refused: true }
  })
  const { command } = createCommands(http, { db })
  command(pushLines.makePushKey, (statements, { merchantId }) => makePushKey(statements, merchantId, push))
  command(pushLines.removePushDevice, async (statements, { caller, params }) => {
    await removePushDevice(statements, caller, params.device)
    return listDevices(statements, caller)
  })
  const systemCommand = createSystemCommands(http, { db, onChange: () => undefined })
  systemCommand(pushLines.savePushDevice, async (statements, { caller, body }) => {
    await savePushDevice(statements, caller, { wish: body, policy: push })
    return listDevices(statements, caller)
  })
}
