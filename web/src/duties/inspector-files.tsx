import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { formatDay } from '#lib/time/dates.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { useTold } from '#ui/notes/told.ts'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import styles from './inspector-files.module.css'
import { inspectorFilesQuery, type InspectorFile } from './queries.ts'

/** The archive that an owner hands to an inspector: asked for here, made by the server, then downloaded. */
export function InspectorFiles() {
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  const files = useQuery(inspectorFilesQuery(tmk))
  const form = useForm({ from: '', to: '' }, ({ from, to }) => ({
    from: from === '' ? 'Please give the first day' : undefined,
    to: to === '' ? 'Please give the last day' : to < from ? 'The range ends before it begins' : undefined,
  }))
  const make = useTold({
    action: 'inspector file',
    attempt: (body: { from: string; to: string }) =>
      call('POST /m/v2/merchant/{tmk}/inspector_files', { params: { tmk }, body }),
    onSuccess: (asked) => keepSaved(queryClient, inspectorFilesQuery(tmk), asked),
    failure: (error) => (form.showRefusal(error) ? undefined : ['The file was not started', reasonOf(error)]),
  })
  return (
    <section className={styles.files} aria-labelledby="inspector-files">
      <h2 id="inspector-files">Inspector’s file</h2>
      <p>
        Sales with their ID checks, refusals and signatures, the decisions of owners, and the rules in force
        on each day, as CSV and PDF in one archive. It holds names and addresses, and goes after a day.
      </p>
      <MantineRoot>
        <form {...form.element(() => make.mutate(form.fields), !make.isPending)}>
          <TextInput type="date" label="First day" {...form.text('from')} />
          <TextInput type="date" label="Last day" {...form.text('to')} />
          <Button type="submit" isBusy={make.isPending}>
            Make the file
          </Button>
        </form>
      </MantineRoot>
      {files.isError && (
        <FailedNote text="The files could not be loaded." onRetry={() => void files.refetch()} />
      )}
      <ul aria-label="Files">
        {files.data?.files.map((file) => (
          <File key={file.id} file={file} />
        ))}
      </ul>
    </section>
  )
}

function File({ file }: { file: InspectorFile }) {
  const days = `${formatDay(file.from)} to ${formatDay(file.to)}`
  return (
    <li>
      <span>
        {days}
        <small>Asked for by {file.requested_by}</small>
      </span>
      {file.url === null ? (
        <span role="status">{stateOf(file)}</span>
      ) : (
        <span>
          {salesOf(file)} ·{' '}
          <a href={file.url} download aria-label={`Download the file of ${days}`}>
            Download
          </a>
        </span>
      )}
    </li>
  )
}

function salesOf({ sales }: InspectorFile): string {
  return sales === 1 ? '1 sale' : `${sales.toLocaleString('en-US')} sales`
}

function stateOf(file: InspectorFile): string {
  if (!file.is_finished) return `Being made: ${salesOf(file)} so far`
  return file.problem ?? 'The file is gone. Please make it again.'
}
