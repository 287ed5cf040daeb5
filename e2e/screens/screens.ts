import { accountScreens } from './account-screens.ts'
import { bulkScreens } from './bulk-screens.ts'
import { button, inDialog, list, openAlarm, search, titled, view, type Screen } from './screen-steps.ts'
import { decisionScreens } from './decision-screens.ts'
import { offlineScreens } from './offline-screens.ts'
import { pickScreens } from './pick-screens.ts'
import { dayScreens } from './day-screens.ts'
import { dutyScreens } from './duty-screens.ts'
import { local } from './stage.ts'

/** Every screen and dialog, and the way to it. */
export const screens: readonly Screen[] = [
  ...accountScreens,
  { name: 'orders-active', show: (page) => list(page) },
  { name: 'orders-on-hold', show: (page) => list(page, 'on-hold') },
  { name: 'orders-cancelled', show: (page) => list(page, 'cancelled') },
  { name: 'orders-completed', show: (page) => list(page, 'completed') },
  {
    name: 'orders-filtered',
    async show(page) {
      await page.goto('/orders/active?status=new,accepted&method=on_demand')
      await page.getByRole('button', { name: 'Clear all' }).waitFor()
      await page.getByRole('button', { name: /^Status/ }).click()
      await button(page, 'Apply Selections').waitFor()
    },
  },
  {
    name: 'orders-row-menu',
    goesWhenResized: true,
    async show(page) {
      await list(page)
      await page
        .getByRole('button', { name: /^More for #/ })
        .first()
        .click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    // A phone has them behind buttons.
    name: 'orders-tools',
    goesWhenResized: true,
    async show(page) {
      await list(page)
      const isPhone = (page.viewportSize()?.width ?? 0) <= 480
      for (const name of isPhone ? ['Filters and sort', 'Search orders'] : [])
        await page.getByRole('button', { name }).click()
      if (isPhone) await page.getByRole('button', { name: 'Search orders', expanded: true }).waitFor()
    },
  },
  {
    name: 'orders-none-left',
    async show(page) {
      await page.goto('/orders/active?brand=no-such-brand')
      await page.getByText('No orders for the current search criteria').waitFor()
      await page.getByRole('button', { name: /^Brand/ }).click()
      await page.getByRole('radio', { name: 'All brands' }).waitFor()
    },
  },
  ...dayScreens,
  ...bulkScreens,
  {
    name: 'orders-new',
    async show(page, { outside }) {
      await list(page)
      for (let sent = 0; sent < 5; sent++) await outside.order('demo', local)
      await page.getByRole('button', { name: 'Show' }).waitFor()
      // A phone shows only the count.
      await page.getByText(/^and \d+ more$/).waitFor({ state: 'attached' })
    },
  },
  {
    name: 'orders-marked-new',
    async show(page, { outside }) {
      await list(page)
      await outside.order('demo', local)
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByText('New:').first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'search-hits',
    async show(page) {
      await search(page, 'Customer Name', 'Nakamura')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'search-no-hit',
    async show(page) {
      await search(page, 'Order #', '#98989898')
      await page.getByText('Please enter a valid').waitFor()
    },
  },
  {
    name: 'alarm-not-set-up',
    async show(page, { outside }) {
      await list(page)
      await outside.tell(await outside.order('demo'), { status: 'CANCELLED', comment: 'No longer wanted' })
      await page.getByRole('button', { name: 'Got it' }).waitFor()
      await openAlarm(page)
      await page.getByRole('dialog', { name: 'Order alarm' }).waitFor()
    },
  },
  {
    name: 'alarm-on',
    async show(page) {
      await list(page)
      await openAlarm(page)
      await page.getByRole('button', { name: 'Turn on and test' }).click()
      await page.getByText('This screen rings for new orders.').waitFor()
    },
  },
  {
    name: 'settings-menu',
    async show(page) {
      await list(page)
      await page.getByRole('button', { name: /^(Settings|Menu)$/ }).click()
      await page.getByRole('menuitem', { name: 'Sign Out' }).waitFor()
    },
  },
  {
    name: 'command-palette',
    async show(page) {
      await list(page)
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'keyboard-shortcuts',
    async show(page) {
      await list(page)
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'company',
    async show(page) {
      await titled(page, '/settings/company', 'Delivery Hours')
      await page.getByRole('group', { name: 'Sunday' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'company-missing',
    async show(page) {
      await titled(page, '/settings/company', 'Delivery Hours')
      await page.getByLabel('Store name').fill('')
      const monday = page.getByRole('group', { name: 'Monday' })
      const open = monday.getByRole('switch', { name: 'Open' })
      if (!(await open.isChecked())) await open.click()
      await monday.getByLabel('Opens, hour').fill('13')
      await page.getByLabel('Minutes to answer').fill('10001')
      const saves = page.getByRole('button', { name: 'Save', exact: true })
      for (const save of await saves.all()) await save.click()
      await page.getByText('Please enter 5 to 1440 minutes').waitFor()
      await page.getByText('Please enter your store name').waitFor()
    },
  },
  {
    name: 'billing',
    async show(page) {
      await titled(page, '/settings/billing', 'Payment Account')
      await page.getByRole('link', { name: 'Go to your payments dashboard' }).waitFor()
      await page.getByRole('heading', { name: 'Bank Account' }).waitFor()
    },
  },
  {
    name: 'billing-missing',
    async show(page) {
      await titled(page, '/settings/billing', 'Payment Account')
      const accept = page.getByRole('button', { name: 'Accept the terms of service' })
      const accepted = page.getByText('The terms of service are accepted.')
      await accept.or(accepted).waitFor()
      if (await accept.isVisible()) await accept.click()
      await accepted.waitFor()
      await page.getByLabel('Deposit descriptor').fill('HARBOR WINE')
      await button(page, 'Save').click()
      await page.getByText('Please enter your routing number').waitFor()
    },
  },
  {
    name: 'inventory',
    async show(page) {
      await titled(page, '/inventory?sort=quantity', 'Inventory')
      await page.getByText(/^Last Update: /).waitFor()
    },
  },
  {
    name: 'inventory-gap',
    async show(page) {
      await titled(page, '/inventory', 'Inventory')
      await page.getByRole('searchbox', { name: 'Find' }).fill('X-90')
      await page.getByText('No orders for the current search criteria').first().waitFor()
    },
  },
  { name: 'order-new', show: (page, { fresh }) => view(page, fresh) },
  { name: 'order-engraved', show: (page, { engraved }) => view(page, engraved) },
  { name: 'order-accepted', show: (page, { acceptedParcel }) => view(page, acceptedParcel) },
  { name: 'order-out', show: (page, { outForDelivery }) => view(page, outForDelivery) },
  { name: 'order-shipped', show: (page, { shipped }) => view(page, shipped) },
  { name: 'order-delivered', show: (page, { delivered }) => view(page, delivered) },
  { name: 'order-on-hold', show: (page, { partlyRejected }) => view(page, partlyRejected) },
  { name: 'order-rejected', show: (page, { rejected }) => view(page, rejected) },
  { name: 'order-cancelled', show: (page, { cancelled }) => view(page, cancelled) },
  { name: 'order-presale', show: (page, { presale }) => view(page, presale) },
  { name: 'dialog-accept', show: (page, { fresh }) => inDialog(page, fresh, 'Accept') },
  { name: 'dialog-reject', show: (page, { fresh }) => inDialog(page, fresh, 'Reject') },
  {
    name: 'dialog-reject-other',
    async show(page, { fresh }) {
      await inDialog(page, fresh, 'Reject')
      await page.getByRole('radio', { name: 'Other' }).check()
      await button(page, 'REJECT').click()
      await page.getByText('Please insert a reason').waitFor()
    },
  },
  ...decisionScreens,
  ...offlineScreens,
  ...pickScreens,
  {
    name: 'dialog-tracking',
    show: (page, { acceptedParcel }) => inDialog(page, acceptedParcel, 'Add Tracking'),
  },
  {
    name: 'dialog-tracking-other',
    async show(page, { acceptedParcel }) {
      await inDialog(page, acceptedParcel, 'Add Tracking')
      await page.getByRole('dialog').getByText('OTHER', { exact: true }).last().click()
      await button(page, 'SAVE').click()
      await page.getByText('* Please fill in all the fields').waitFor()
    },
  },
  {
    name: 'dialog-labels',
    show: (page, { acceptedParcel }) => inDialog(page, acceptedParcel, 'Create Shipping Label'),
  },
  {
    name: 'dialog-label-refused',
    async show(page, { refusedLabel }) {
      await inDialog(page, refusedLabel, 'Buy Label')
      await page.getByRole('dialog').getByText('This address is invalid.').waitFor()
    },
  },
  {
    name: 'dialog-labels-missing',
    async show(page, { acceptedParcel }) {
      await inDialog(page, acceptedParcel, 'Create Shipping Label')
      await page.getByLabel('Weight (lbs)').fill('')
      await page.getByLabel('Declared value ($)').fill('5000')
      await button(page, 'PRINT').click()
      await page.getByText('Please enter the weight.').waitFor()
    },
  },
  {
    name: 'dialog-correct-tracking',
    show: (page, { shipped }) => inDialog(page, shipped, 'Correct Tracking'),
  },
  { name: 'order-came-back', show: (page, { cameBack }) => view(page, cameBack) },
  { name: 'dialog-came-back', show: (page, { shipped }) => inDialog(page, shipped, 'Came Back') },
  { name: 'dialog-sent-again', show: (page, { cameBack }) => inDialog(page, cameBack, 'Sent Again') },
  {
    name: 'carrier',
    async show(page) {
      await titled(page, '/settings/carrier', 'Carrier Account')
      await page.getByRole('radio', { name: '4x6' }).waitFor()
    },
  },
  ...dutyScreens,
  { name: 'rules', show: (page) => titled(page, '/settings/duties', 'Rules') },
  {
    name: 'order-duties',
    async show(page, { acceptedParcel }) {
      await view(page, acceptedParcel)
      await page.getByRole('button', { name: /^Good to know: \d+$/ }).click()
    },
  },
  { name: 'dialog-deliver', show: (page, { acceptedLocal }) => inDialog(page, acceptedLocal, 'Deliver') },
  {
    name: 'dialog-delivered',
    show: (page, { outForDelivery }) => inDialog(page, outForDelivery, 'Mark Delivered'),
  },
  {
    name: 'dialog-delivered-missing',
    async show(page, { outForDelivery }) {
      await inDialog(page, outForDelivery, 'Mark Delivered')
      await page.getByLabel('Delivery date').fill('')
      await button(page, 'MARK DELIVERED').click()
      await page.getByText('Please fill in required fields').waitFor()
    },
  },
  {
    name: 'dialog-not-handed-over',
    async show(page, { outForDelivery }) {
      await inDialog(page, outForDelivery, 'Mark Delivered')
      await button(page, 'NOT HANDED OVER').click()
      await button(page, 'No valid ID').click()
    },
  },
  {
    name: 'dialog-courier',
    show: (page, { acceptedLocal }) => inDialog(page, acceptedLocal, 'REQUEST PICKUP'),
  },
  {
    name: 'order-courier',
    async show(page, { withCourier }) {
      await view(page, withCourier)
      await page.getByRole('button', { name: 'Courier details' }).waitFor()
    },
  },
  {
    name: 'dialog-courier-details',
    show: (page, { withCourier }) => inDialog(page, withCourier, 'Courier details'),
  },
  {
    name: 'dialog-directions',
    async show(page, { acceptedLocal }) {
      await inDialog(page, acceptedLocal, 'Send Directions to Phone')
      await button(page, 'SEND').click()
      await page.getByText('Please enter a valid phone number').waitFor()
    },
  },
  {
    name: 'order-instructions-edited',
    async show(page, { acceptedLocal }) {
      await view(page, acceptedLocal)
      await button(page, 'Edit instructions').click()
      await page.getByLabel('Delivery instructions').waitFor()
    },
  },
  {
    name: 'toast-success',
    goesWhenResized: true,
    async show(page, { outside }) {
      await inDialog(page, await outside.order('demo'), 'Reject')
      await button(page, 'REJECT').click()
      await page.getByText('Order was updated successfully!').waitFor()
    },
  },
  {
    name: 'toast-overtaken',
    goesWhenResized: true,
    async show(page, { outside }) {
      const order = await outside.order('demo')
      await inDialog(page, order, 'Accept')
      await outside.tell(order, { status: 'CANCELLED', comment: 'No longer wanted' })
      // The message goes after 8 seconds, so the wait for it begins before the press.
      await Promise.all([page.getByText('was faster').waitFor(), button(page, 'ACCEPT').click()])
    },
  },
]
