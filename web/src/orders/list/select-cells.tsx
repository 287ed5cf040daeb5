import { memo, useEffect, useRef } from 'react'
import styles from './orders-table.module.css'

interface RowProps {
  index: number
  id: string
  isSelected: boolean
  onToggle: (index: number, isRange: boolean) => void
}

export const SelectRow = memo(function SelectRow({ index, id, isSelected, onToggle }: RowProps) {
  return (
    <td className={styles.select}>
      <SelectBox index={index} id={id} isSelected={isSelected} onToggle={onToggle} />
    </td>
  )
})

export function SelectBox({ index, id, isSelected, onToggle }: RowProps) {
  return (
    <label>
      <input
        type="checkbox"
        aria-label={`Select #${id}`}
        checked={isSelected}
        // A click event knows whether Shift is held; a change event does not.
        onClick={(event) => onToggle(index, event.shiftKey)}
        onChange={noop}
      />
    </label>
  )
}

export function SelectHead({ state, onToggle }: { state: 'none' | 'some' | 'all'; onToggle: () => void }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some'
  }, [state])
  return (
    <th scope="col" className={styles.select}>
      <label>
        <input
          ref={box}
          type="checkbox"
          aria-label="Select all loaded orders"
          checked={state === 'all'}
          onChange={onToggle}
        />
      </label>
    </th>
  )
}

function noop(): void {}
