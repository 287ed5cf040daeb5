import { messages } from '@cellarhand/contract/messages'
import type { ReactNode } from 'react'
import type { Form } from '#lib/parts/use-form.ts'
import { Button } from '../blocks/button.tsx'
import styles from './form.module.css'

interface Save {
  readonly isPending: boolean
  readonly isError: boolean
}

interface SaveFormProps {
  form: Pick<Form<never>, 'element'>
  isDirty: boolean
  save: Save
  onSave: () => void
  children: ReactNode
}

/** A form of the settings. A change enables its button, one press saves once, and a failure shows above it. */
export function SaveForm({ form, isDirty, save, onSave, children }: SaveFormProps) {
  return (
    <form className={styles.form} {...form.element(onSave, isDirty && !save.isPending)}>
      {children}
      <SaveEnd isDirty={isDirty} save={save} />
    </form>
  )
}

export function SaveEnd({ isDirty, save }: { isDirty: boolean; save: Save }) {
  return (
    <>
      {save.isError && (
        <p role="alert" className={styles.problem}>
          {messages.changesNotSaved}
        </p>
      )}
      <div className={styles.end}>
        <Button type="submit" disabled={!isDirty} isBusy={save.isPending}>
          Save
        </Button>
      </div>
    </>
  )
}
