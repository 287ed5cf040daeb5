// One chunk: a person who needs one of them soon needs the others, and each chunk's name adds to the first script.
export { RecoveryCodes } from './recovery-codes.tsx'
export { SecondStepNeeded } from './second-step-needed.tsx'
export { SetUpTwoStep } from './set-up-two-step.tsx'
