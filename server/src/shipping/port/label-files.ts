export const zplType = 'application/zpl'
export const labelEndings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  [zplType]: 'zpl',
}

export interface LabelFile {
  readonly mediaType: string
  readonly bytes: Uint8Array
}
