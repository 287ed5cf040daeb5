import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { CallError } from '../calls/call.ts'

export type Problems<F extends string> = { [name in F]?: string | undefined }

interface TextProps {
  name: string
  value: string
  error: string | undefined
  'aria-invalid': boolean
  onChange: (event: { currentTarget: { value: string } }) => void
}

export interface Form<F extends string> {
  /** Belongs on the form element: the form looks for a bad field inside it. */
  id: string
  fields: Record<F, string>
  problems: Problems<F>
  change: (part: Partial<Record<F, string>>) => void
  reset: (fields: Record<F, string>) => void
  /** The properties with which a text field shows and changes the form's value of that name. */
  text: (name: F) => TextProps
  /** Runs every rule. Without a problem it acts; otherwise the first bad field gets the focus. */
  submit: (event: FormEvent, act: () => void) => void
  /** Shows messages at their fields and focuses the first. */
  showProblems: (problems: Problems<F>) => void
  /** Shows the server's messages at their fields; false when the server named no field. */
  showRefusal: (error: unknown) => boolean
}

/** The texts of a form, checked when the clerk sends it: one message for each field (VALID-013). */
export function useForm<F extends string>(
  initial: Record<F, string>,
  problemsOf: (fields: Record<F, string>) => Problems<F>,
): Form<F> {
  const id = useId()
  const [fields, setFields] = useState(initial)
  const [problems, setProblems] = useState<Problems<F>>({})

  const change = (part: Partial<Record<F, string>>): void => {
    setFields((before) => ({ ...before, ...part }))
    setProblems((before) => {
      const kept = Object.entries(before).filter(([name]) => !(name in part))
      return Object.fromEntries(kept) as Problems<F>
    })
  }
  const show = (found: Problems<F>): boolean => {
    flushSync(() => setProblems(found))
    const isBad = Object.values(found).some((text) => text !== undefined)
    if (isBad) document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    return isBad
  }

  return {
    id,
    fields,
    problems,
    change,
    reset: (next) => {
      setFields(next)
      setProblems({})
    },
    text: (name) => ({
      name,
      value: fields[name],
      error: problems[name],
      // Mantine's password field has no other way to mark an error.
      'aria-invalid': problems[name] !== undefined,
      onChange: (event) => change({ [name]: event.currentTarget.value } as Partial<Record<F, string>>),
    }),
    submit: (event, act) => {
      event.preventDefault()
      if (!show(problemsOf(fields))) act()
    },
    showProblems: show,
    showRefusal: (error) => {
      if (!(error instanceof CallError)) return false
      const named = Object.entries(error.fieldErrors).filter(([name]) => name in fields)
      return named.length > 0 && show(Object.fromEntries(named) as Problems<F>)
    },
  }
}
