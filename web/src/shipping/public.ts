import { lazy } from 'react'

export const TrackingDialog = lazy(() =>
  import('./tracking-dialog.tsx').then((module) => ({ default: module.TrackingDialog })),
)
