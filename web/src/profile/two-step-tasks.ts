export type TwoStepTask = 'set-up' | 'new-codes' | 'turn-off'

export const twoStepTitles: Record<TwoStepTask, string> = {
  'set-up': 'Set Up Two-Step Sign-In',
  'new-codes': 'New Recovery Codes',
  'turn-off': 'Turn Off Two-Step Sign-In',
}
