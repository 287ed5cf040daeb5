import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { CallError } from '../calls/call.ts'
import { useFollowed } from './use-followed.ts'

export type Problems<F extends string> = { [name in F]?: string | undefined }

interface TextProps {
  name: string
  value: string
  error: string | undefined
  'aria-invalid': boolean
  onChange: (event: { currentTarget: { value: string } }) => void
}

export interface Form<F extends string> {
  id: string
  /** The properties of the form element. A press acts while `mayAct`, and only if no field has a problem. */
  element: (
    act: () => void,
    mayAct?: boolean,
  ) => { id: string; noValidate: true; onSubmit: (event: FormEvent) => void }
  fields: Record<F, string>
  problems: Problems<F>
  change: (part: Partial<Record<F, string>>) => void
  reset: (fields: Record<F, string>) => void
  /** After a save of `sent`, whose answer is `saved`: a text typed since the press stays. */
  settle: (sent: Record<F, string>, saved: Record<F, string>) => void
  /** The properties with which a text field shows and changes the form's value of that name. */
  text: (name: F) => TextProps
  /** Runs every rule. Without a problem it acts; otherwise the first bad field gets the focus. */
  submit: (event: FormEvent, act: () => void) => void
  /** Shows messages at their fields and focuses the first. */
  showProblems: (problems: Problems<F>) => void
  /** Shows the server's messages at their fields; false when the server named no field. */
  showRefusal: (error: unknown) => boolean
}

/** Marks the bad fields, then takes the caret to the first. */
export function showAtFields(form: HTMLElement | null, mark: () => void): void {
  flushSync(mark)
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/**
 * The texts of a form, checked when the clerk sends it: one message for each field (VALID-013). Where the form
 * `follows`, fields that nobody has touched follow the initial ones.
 */
export function useForm<F extends string>(
  initial: Record<F, string>,
  problemsOf: (fields: Record<F, string>) => Problems<F>,
  { follows = false } = {},
): Form<F> {
  const id = useId()
  const { fields, setFields, settle } = useFollowed(initial, { follows })
  const [problems, setProblems] = useState<Problems<F>>({})

  const change = (part: Partial<Record<F, string>>): void => {
    setFields((before) => ({ ...before, ...part }))
    setProblems((before) => {
      const kept = Object.entries(before).filter(([name]) => !(name in part))
      return Object.fromEntries(kept) as Problems<F>
    })
  }
  const show = (found: Problems<F>): boolean => {
    showAtFields(document.getElementById(id), () => setProblems(found))
    return Object.values(found).some((text) => text !== undefined)
  }

  const submit = (event: FormEvent, act: () => void): void => {
    event.preventDefault()
    if (!show(problemsOf(fields))) act()
  }

  return {
    id,
    element: (act, mayAct = true) => ({
      id,
      noValidate: true,
      onSubmit: (event) =>
        submit(event, () => {
          if (mayAct) act()
        }),
    }),
    fields,
    problems,
    change,
    reset: (next) => {
      setFields(() => next)
      setProblems({})
    },
    settle,
    text: (name) => ({
      name,
      value: fields[name],
      error: problems[name],
      // Mantine's password field has no other way to mark an error.
      'aria-invalid': problems[name] !== undefined,
      onChange: (event) => change({ [name]: event.currentTarget.value } as Partial<Record<F, string>>),
    }),
    submit,
    showProblems: show,
    showRefusal: (error) => {
      if (!(error instanceof CallError)) return false
      const named = Object.entries(error.fieldErrors).filter(([name]) => name in fields)
      return named.length > 0 && show(Object.fromEntries(named) as Problems<F>)
    },
  }
}
