export interface ServerEvent {
  name: string
  data: string
}

interface Listeners {
  onEvent: (event: ServerEvent) => void
  onId: (id: string) => void
}

/** Takes the stream piece by piece and calls back for each whole event (WHATWG HTML, section 9.2.6). */
export function eventParser({ onEvent, onId }: Listeners): (piece: string) => void {
  let rest = ''
  let id = ''
  let name = ''
  let data: string[] = []
  const takeLine = (line: string): void => {
    if (line === '') {
      // An id alone also counts: the stream resumes from it.
      if (id) onId(id)
      if (data.length > 0) onEvent({ name: name || 'message', data: data.join('\n') })
      name = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') id = value
    else if (field === 'event') name = value
    else if (field === 'data') data.push(value)
  }
  return (piece) => {
    rest += piece
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  }
}
