import { preferences } from '#lib/kept/preferences.ts'
import { Dialog } from '#ui/dialogs/dialog.tsx'
import styles from './shortcut-sheet.module.css'

const shortcuts: readonly [keys: string, meaning: string][] = [
  ['/', 'Search by order number'],
  ['n', 'Search by customer name'],
  ['s', 'Show the new orders in the list'],
  ['j', 'Next order'],
  ['k', 'Previous order'],
  ['Enter', 'Open the order'],
  ['x', 'Select the order'],
  ['X', 'Select up to the order'],
  ['a', 'Accept the order, all that are selected, or the next to decide'],
  ['.', 'Open the next order to do'],
  ['m', 'I take the order, or let it go'],
  ['r', 'Reject'],
  ['p', 'Print the packing slip, or those of all that are selected'],
  ['A', 'Accept all new orders of the list'],
  ['P', 'Print all packing slips that are missing'],
  ['l', 'Buy the label of the open order, or add its tracking'],
  ['c', 'Correct the address that a label failed for'],
  ['h', 'Hand the open order over: courier or delivery'],
  ['u', 'Go to Out of stock of the next line'],
  ['w', 'Pick the bottles of the order, or those of all that are selected'],
  ['scan', 'Open the order of a packing slip'],
  ['b', 'Go to the buttons for the selected orders'],
  ['g o', 'Go to orders'],
  ['g i', 'Go to the inventory'],
  ['g t', 'Go to Today'],
  ['Ctrl K', 'Commands, pages and orders by number (⌘ K on a Mac)'],
  ['?', 'Show this list'],
  ['Esc', 'Close what is open'],
]

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { hasKeysOff } = preferences.use()
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <p className={styles.words}>
        {hasKeysOff
          ? 'Keys that type a character are off on this device. The menu Settings switches them on: Single-key shortcuts.'
          : 'Keys that type a character can be switched off in the menu Settings: Single-key shortcuts.'}
      </p>
      <dl className={styles.list}>
        {shortcuts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{meaning}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
