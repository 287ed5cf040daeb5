/** The rule's name; a link where its source is an address. */
export function SourceLink({ rule, source }: { rule: string; source: string }) {
  const address = /^(https:\/\/|\/)\S+/.exec(source)?.[0]
  if (address === undefined) return `Rule ${rule} (${source})`
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      Rule {rule}
    </a>
  )
}
