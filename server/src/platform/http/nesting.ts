/** The deepest body that is asked for has eight levels, and providers send few more. */
const deepest = 32

/** A body that is nested by the thousand costs every walk over it more than its length, so nobody takes it apart. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const letter = json[at]
    if (isText) {
      if (letter === '\\') at++
      else if (letter === '"') isText = false
    } else if (letter === '"') isText = true
    else if (letter === '[' || letter === '{') {
      if (++depth > deepest) return true
    } else if (letter === ']' || letter === '}') depth--
  }
  return false
}
