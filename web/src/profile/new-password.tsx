import { maxPasswordLength } from '@cellarhand/contract/validation'
import { PasswordInput } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import type { ChangeEvent } from 'react'
import { useRef, useState } from 'react'
import { Button } from '#ui/blocks/button.tsx'
import { tellFailure, toast } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'
import { generatePassword } from './generate-password.ts'
import styles from './basic-information.module.css'

const action = 'copy password'

interface Props {
  field: {
    name: string
    value: string
    error: string | undefined
    onChange: (event: ChangeEvent<HTMLInputElement>) => void
  }
  onGenerate: (password: string) => void
}

export function NewPassword({ field, onGenerate }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isVisible, setVisible] = useState(false)
  const generate = (): void => {
    onGenerate(generatePassword())
    setVisible(true)
  }
  const copy = async (): Promise<void> => {
    try {
      await told(action, () => navigator.clipboard.writeText(field.value))
      toast('success', 'The new password was copied. It counts once you have saved it.')
    } catch {
      // Without https, browsers do not let a page write to the clipboard.
      setVisible(true)
      input.current?.select()
      tellFailure(
        action,
        'Your browser does not let this page copy. Press Ctrl+C to copy the selected password.',
      )
    }
  }
  return (
    <div className={styles.new}>
      <PasswordInput
        ref={input}
        label="New password"
        description="At least 10 characters; leave it empty to keep yours"
        autoComplete="new-password"
        maxLength={maxPasswordLength}
        {...field}
        visible={isVisible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the new password', tabIndex: 0 }}
      />
      <Button look="plain" onClick={generate}>
        <IconRefresh size={16} aria-hidden />
        Generate
      </Button>
      <Button look="plain" onClick={() => void copy()} disabled={field.value === ''}>
        <IconCopy size={16} aria-hidden />
        Copy
      </Button>
    </div>
  )
}
