import { lazyPart } from '#lib/lazy-part.ts'

export const HandOverDialog = lazyPart(async () => (await import('./hand-over-dialog.tsx')).HandOverDialog)
export const SetUpTwoStep = lazyPart(async () => (await import('./set-up-two-step.tsx')).SetUpTwoStep)
export const RecoveryCodes = lazyPart(async () => (await import('./recovery-codes.tsx')).RecoveryCodes)
export const SecondStepNeeded = lazyPart(
  async () => (await import('./second-step-needed.tsx')).SecondStepNeeded,
)
