import { lazy } from 'react'

export const DeliverDialog = lazy(() =>
  import('./deliver-dialog.tsx').then((module) => ({ default: module.DeliverDialog })),
)
