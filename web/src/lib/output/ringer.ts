import { createStore } from '../kept/store.ts'

export interface Melody {
  /** `at` is in seconds from the melody's start. */
  notes: readonly { hz: number; at: number; seconds: number }[]
  /** A bell fades, a horn holds its tone. */
  voice: 'bell' | 'horn'
}

/** Blocked: the browser allows sound only after a press on the page. */
export type SoundState = 'none' | 'blocked' | 'ready'

const RESUME_WAIT_MS = 400

/**
 * A sound that repeats by itself. The loop runs in the browser's audio thread, so that a background tab, whose timers
 * the browser slows down, rings as regularly as one in front.
 */
export class Ringer {
  readonly state = createStore<SoundState>('none')
  private context: AudioContext | undefined
  private volume: GainNode | undefined
  private meter: AnalyserNode | undefined
  private loop: AudioBufferSourceNode | undefined
  private looped = ''

  /** Call it while handling a press. Without one, it succeeds only if the browser lets pages make sound unasked. */
  async start(): Promise<void> {
    const context = (this.context ??= this.open())
    const waited = new Promise((resolve) => setTimeout(resolve, RESUME_WAIT_MS))
    await Promise.race([context.resume().catch(() => undefined), waited])
    this.look()
  }

  private open(): AudioContext {
    const context = new AudioContext()
    this.volume = new GainNode(context)
    this.meter = new AnalyserNode(context, { fftSize: 2048 })
    this.volume.connect(this.meter).connect(context.destination)
    context.addEventListener('statechange', () => this.look())
    return context
  }

  private look(): void {
    this.state.set(this.context?.state === 'running' ? 'ready' : 'blocked')
  }

  setVolume(volume: number): void {
    if (this.context) this.volume?.gain.setTargetAtTime(volume, this.context.currentTime, 0.02)
  }

  /** Repeats every so many seconds until `stop`. The same call again changes nothing. */
  repeat(melody: Melody, everySeconds: number): void {
    const wanted = JSON.stringify([melody, everySeconds])
    if (wanted === this.looped) return
    this.stop()
    this.loop = this.sound(melody, everySeconds)
    if (!this.loop) return
    this.loop.loop = true
    this.loop.start()
    this.looped = wanted
  }

  stop(): void {
    this.loop?.stop()
    this.loop = undefined
    this.looped = ''
  }

  playOnce(melody: Melody): void {
    this.sound(melody, lengthOf(melody))?.start()
  }

  /** The present loudness at the loudspeaker, from 0 to 1. */
  loudness(): number {
    if (!this.meter) return 0
    const samples = new Float32Array(this.meter.fftSize)
    this.meter.getFloatTimeDomainData(samples)
    return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  }

  private sound(melody: Melody, seconds: number): AudioBufferSourceNode | undefined {
    const { context, volume } = this
    if (!context || !volume) return undefined
    const buffer = context.createBuffer(1, Math.ceil(seconds * context.sampleRate), context.sampleRate)
    write(buffer.getChannelData(0), melody, context.sampleRate)
    const source = new AudioBufferSourceNode(context, { buffer })
    source.connect(volume)
    return source
  }
}

function lengthOf({ notes }: Melody): number {
  return Math.max(...notes.map(({ at, seconds }) => at + seconds)) + 0.1
}

const ATTACK_SECONDS = 0.008
const RELEASE_SECONDS = 0.03

function write(samples: Float32Array, { notes, voice }: Melody, rate: number): void {
  for (const { hz, at, seconds } of notes) {
    const first = Math.round(at * rate)
    const count = Math.min(Math.round(seconds * rate), samples.length - first)
    for (let index = 0; index < count; index++) {
      const time = index / rate
      const edge = Math.min(1, time / ATTACK_SECONDS, (seconds - time) / RELEASE_SECONDS)
      const fade = voice === 'bell' ? Math.exp((-4 * time) / seconds) : 1
      const turn = 2 * Math.PI * hz * time
      const tone =
        voice === 'bell'
          ? 0.7 * Math.sin(turn) + 0.2 * Math.sin(2 * turn) + 0.1 * Math.sin(3 * turn)
          : 0.5 * Math.sin(turn) + 0.25 * Math.sin(3 * turn) + 0.15 * Math.sin(5 * turn)
      const place = first + index
      samples[place] = (samples[place] ?? 0) + tone * edge * fade
    }
  }
}
