import type { Melody } from '#lib/output/ringer.ts'
import { Ringer } from '#lib/output/ringer.ts'

/** One tone for the right bottle, two low ones for a wrong one: told apart without a look. */
export const tones = {
  right: { voice: 'bell', notes: [{ hz: 1_175, at: 0, seconds: 0.16 }] },
  wrong: {
    voice: 'horn',
    notes: [
      { hz: 220, at: 0, seconds: 0.18 },
      { hz: 165, at: 0.24, seconds: 0.3 },
    ],
  },
} as const satisfies Record<string, Melody>

const ringer = new Ringer()

/** A browser that forbids sound stays silent: the frame and the words say the same. */
export async function sound(tone: keyof typeof tones): Promise<void> {
  await ringer.start()
  ringer.setVolume(0.5)
  ringer.playOnce(tones[tone])
}
