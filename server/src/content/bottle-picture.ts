interface Look {
  readonly shape: keyof typeof shapes
  readonly glass: string
  readonly cap: string
}

/** Outline of the vessel, its cap and its label, on a field of 100 by 130. */
const shapes = {
  straight: {
    outline: 'M45.5 16h9v24c0 7 9.5 8 9.5 19v57a4 4 0 0 1-4 4h-20a4 4 0 0 1-4-4v-57c0-11 9.5-12 9.5-19z',
    cap: { x: 45, y: 10, width: 10, height: 20 },
    label: { x: 36, y: 72, width: 28, height: 30 },
  },
  sloping: {
    outline: 'M46 16h8v20c0 13 12 18 12 35v45a4 4 0 0 1-4 4h-24a4 4 0 0 1-4-4v-45c0-17 12-22 12-35z',
    cap: { x: 45.5, y: 10, width: 9, height: 17 },
    label: { x: 34, y: 78, width: 32, height: 26 },
  },
  square: {
    outline: 'M45 22h10v14c0 5 15 4 15 14v66a4 4 0 0 1-4 4h-32a4 4 0 0 1-4-4v-66c0-10 15-9 15-14z',
    cap: { x: 43.5, y: 12, width: 13, height: 13 },
    label: { x: 30, y: 62, width: 40, height: 38 },
  },
  longneck: {
    outline: 'M46.5 34h7v18c0 9 8.5 10 8.5 22v42a4 4 0 0 1-4 4h-16a4 4 0 0 1-4-4v-42c0-12 8.5-13 8.5-22z',
    cap: { x: 45.5, y: 29, width: 9, height: 7 },
    label: { x: 38, y: 82, width: 24, height: 24 },
  },
  can: {
    outline: 'M39 44h22l3.5 6v64l-3.5 6h-22l-3.5-6v-64z',
    cap: { x: 38.5, y: 41, width: 23, height: 4 },
    label: { x: 35.5, y: 60, width: 29, height: 40 },
  },
} as const

const looks: Readonly<Record<string, Look>> = {
  red: { shape: 'straight', glass: '#3b1220', cap: '#7a1f33' },
  white: { shape: 'sloping', glass: '#9aa860', cap: '#c9a94b' },
  rose: { shape: 'sloping', glass: '#e8a4a0', cap: '#f4e3d7' },
  sparkling: { shape: 'sloping', glass: '#2e4a36', cap: '#d2b15a' },
  whiskey: { shape: 'square', glass: '#b8702c', cap: '#3a2a1e' },
  gin: { shape: 'square', glass: '#a9cdd6', cap: '#5b6f78' },
  vodka: { shape: 'straight', glass: '#cfdde4', cap: '#8696a0' },
  rum: { shape: 'straight', glass: '#6d3d1c', cap: '#2d2019' },
  tequila: { shape: 'square', glass: '#e3cf8f', cap: '#8a6a3c' },
  liqueur: { shape: 'longneck', glass: '#8c2f4b', cap: '#c9a94b' },
  beer: { shape: 'longneck', glass: '#7c4a1a', cap: '#b8923a' },
  can: { shape: 'can', glass: '#c3c9cc', cap: '#9aa2a6' },
  mixer: { shape: 'longneck', glass: '#c8e0d4', cap: '#4f7f6a' },
}

/** Label colours vary, so that neighbours in a list look different. */
const labels = [
  { paper: '#f6efdf', print: '#7a1f33' },
  { paper: '#1f2a33', print: '#d9b45f' },
  { paper: '#e9e4d4', print: '#27506b' },
  { paper: '#29463a', print: '#efe3c2' },
  { paper: '#f4d9c4', print: '#8c3b1e' },
  { paper: '#dfe7ea', print: '#3a4a8c' },
  { paper: '#43243f', print: '#e7c9d9' },
  { paper: '#f7f4ee', print: '#222222' },
] as const

export interface BottleName {
  readonly kind: string
  readonly style: number
  readonly width: number
  readonly height: number
}

const bottleKinds: readonly string[] = Object.keys(looks)

export function parseBottleName(name: string): BottleName | undefined {
  const [, kind = '', style, width, height] = /^([a-z]+)-(\d)-(\d+)x(\d+)\.svg$/.exec(name) ?? []
  if (!bottleKinds.includes(kind)) return undefined
  return { kind, style: Number(style), width: Number(width), height: Number(height) }
}

/** A bottle (or can) on a pale ground, on which its glass shows in both the light and the dark scheme. */
export function drawBottleSvg({ kind, style, width, height }: BottleName): string {
  const look = looks[kind] ?? { shape: 'straight', glass: '#555555', cap: '#333333' }
  const { outline, cap, label } = shapes[look.shape]
  const { paper, print } = labels[style % labels.length] ?? labels[0]
  const box = (at: { x: number; y: number; width: number; height: number }, more: string) =>
    `<rect x="${at.x}" y="${at.y}" width="${at.width}" height="${at.height}" ${more}/>`
  const middle = label.x + label.width / 2
  const emblem = label.y + label.height * 0.36
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    '<rect width="100%" height="100%" fill="#f3efe8"/>',
    '<svg viewBox="0 0 100 130" width="100%" height="100%">',
    '<ellipse cx="50" cy="120.5" rx="24" ry="2.5" fill="#000000" opacity="0.12"/>',
    `<path d="${outline}" fill="${look.glass}"/>`,
    box(cap, `rx="1.5" fill="${look.cap}"`),
    box(label, `rx="1" fill="${paper}"`),
    `<circle cx="${middle}" cy="${emblem}" r="${label.height * 0.18}" fill="none" stroke="${print}" stroke-width="1.2"/>`,
    `<circle cx="${middle}" cy="${emblem}" r="${label.height * 0.07}" fill="${print}"/>`,
    box(
      { x: label.x + 4, y: label.y + label.height * 0.66, width: label.width - 8, height: 1.8 },
      `fill="${print}"`,
    ),
    box(
      { x: label.x + 8, y: label.y + label.height * 0.79, width: label.width - 16, height: 1.2 },
      `fill="${print}" opacity="0.6"`,
    ),
    box({ x: label.x + 2, y: 62, width: 2.2, height: 52 }, 'rx="1.1" fill="#ffffff" opacity="0.22"'),
    '</svg></svg>',
  ].join('')
}
