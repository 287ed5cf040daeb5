import { billingUpkeep } from './billing/public.ts'
import { contentUpkeep } from './content/public.ts'
import { deliveryUpkeep } from './delivery/public.ts'
import { documentsUpkeep } from './documents/public.ts'
import { dutiesUpkeep } from './duties/public.ts'
import { marketplaceUpkeep } from './marketplace/public.ts'
import { merchantsUpkeep } from './merchants/public.ts'
import { ordersUpkeep } from './orders/public.ts'
import { picksUpkeep } from './picks/public.ts'
import { platformUpkeep } from './platform/upkeep/platform-upkeep.ts'
import type { Upkeep } from './platform/upkeep/upkeep.ts'
import { recordsUpkeep } from './records/public.ts'
import { shippingUpkeep } from './shipping/public.ts'
import { signInUpkeep } from './sign-in/public.ts'
import { substitutesUpkeep } from './substitutes/public.ts'
import { teamUpkeep } from './team/public.ts'
import { watchUpkeep } from './watch/public.ts'

/** For the clean-up, the rotation of keys, the restore and the move of a merchant. */
export const upkeep: readonly Upkeep[] = [
  platformUpkeep,
  signInUpkeep,
  teamUpkeep,
  merchantsUpkeep,
  ordersUpkeep,
  deliveryUpkeep,
  documentsUpkeep,
  shippingUpkeep,
  marketplaceUpkeep,
  contentUpkeep,
  dutiesUpkeep,
  recordsUpkeep,
  billingUpkeep,
  watchUpkeep,
  substitutesUpkeep,
  picksUpkeep,
]
