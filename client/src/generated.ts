// Generated from the contract; see CONTRIBUTING.md, "Add a call". Do not edit.

export type AcceptOrdersBody = {
  orders: ({
    id: OrderId
    status: 'MERCHANT_ACCEPTED'
  })[]
}

export type AcceptOrdersReply = {
  order_accepted_count: Count
  order_rejected_count: Count
  rejected?: ({
    id: OrderId
    message: string
  })[]
}

export type AcknowledgeAlarmsBody = {
  alarms: ({
    order_id: OrderId
    kind: 'new' | 'cancelled' | 'soon' | 'late' | 'asked'
  })[]
}

export type AcknowledgeAlarmsReply = {
  acknowledged: Count
}

export type AddOrderNoteBody = {
  text: string
}

export type AddShiftNoteBody = {
  text: string
}

export type AgeCheck = {
  result: 'passed' | 'refused' | 'not_made'
  reason: 'under_21' | 'no_valid_id' | 'nobody_there' | 'intoxicated' | null
  method: 'driver_license' | 'state_id' | 'passport' | 'military_id' | 'other_id' | null
  checked_by: string
  checked_at: Timestamp
  reading?: {
    how: 'scanned' | 'typed'
    is_over_21: boolean
    is_expired: boolean
  }
}

export type AlarmRules = {
  rules: ({
    method: 'on_demand' | 'scheduled' | 'preorder' | 'deposit' | 'shipped'
    soon_minutes: number | null
    late: boolean
  })[]
  quiet_when_closed: boolean
}

export type Alarms = {
  total: Count
  cancelled: Count
  items: ({
    order_id: OrderId
    kind: 'new' | 'cancelled'
    raised_at: Timestamp
  })[]
  due?: {
    late: Count
    soon: Count
    items: ({
      order_id: OrderId
      kind: 'soon' | 'late'
      raised_at: Timestamp
    })[]
  }
  asked?: {
    total: Count
    items: ({
      order_id: OrderId
      kind: 'asked'
      raised_at: Timestamp
    })[]
  }
  is_quiet?: boolean
}

export type AskOwnerBody = {
  version?: SeenVersion
  rule: string
  question?: string | null
}

export type BatchStarted = {
  batch_id: string
}

export type BringBackBody = {
  reason: 'under_21' | 'no_valid_id' | 'nobody_there' | 'intoxicated'
  method?: 'driver_license' | 'state_id' | 'passport' | 'military_id' | 'other_id' | null
  checked_by?: string | null
  reading?: IdReading | null
  note?: string | null
  version?: SeenVersion
}

export type BuyLabelsBody = {
  order_id: OrderId
  boxes: ({
    weight?: number | null
    insurance?: number | null
  })[]
}

export type BuyLabelsReply = {
  status: 200
  data: ({
    label_url: string | null
    carrier: string
    tracking_code: string
    box: number
    print_url: string | null
    media_type: string | null
    bought_at: Timestamp
    bought_by: string
  })[]
  order: Order
}

export type BuyManyLabelsBody = {
  items: OrderId[]
}

export type ChangeRolesBody = {
  roles: ('merch.user' | 'merch.manager' | 'merch.owner')[]
}

export type ChangeRolesReply = {
  roles: Role[]
}

export type ChangeViewBody = {
  name: string
}

export type ConfirmTwoStepBody = {
  code: string
}

export type ConfirmTwoStepReply = {
  recovery_codes: string[]
}

export type CorrectAddressBody = {
  version?: SeenVersion
  street_1: string
  street_2?: string | null
  street_3?: string | null
  city: string
  state: string
  zipcode: string
  phone_number?: string | null
}

export type CorrectTrackingBody = {
  version?: number
  tracking_provider?: string | null
  tracking_id?: string | null
  tracking_url?: string | null
  other_tracking_provider?: string | null
}

export type Count = number

export type CountOrdersReply = {
  counts: {
    active: Count
    on_hold: Count
    completed: Count
    cancelled: Count
  }
}

export type CourierInfo = {
  provider: string | null
  tracking_url: string | null
  number_of_packages: number | null
  estimated_delivery_time: Timestamp | null
  estimated_pickup_time: Timestamp | null
  requested_pickup_time: Timestamp | null
  order_status: 'ORDER_REQUESTED' | 'ORDER_ASSIGNED' | 'ORDER_PICKED_UP' | 'ORDER_DELIVERED' | 'ORDER_CANCELLED' | 'ORDER_FAILED'
}

export type CreateHandoverBody = {
  user: string
  merchant: MerchantKey
}

export type CreateHandoverReply = {
  url: string
}

/** YYYY-MM-DD */
export type Day = string

export type DecideCourierCheckBody = {
  is_relied_on: boolean
  reason: string
}

export type DecideCourierCheckReply = {
  services: ({
    service: string
    slug: string
    reliance: {
      agreement: string
      by: string
      on: Day
    } | null
  })[]
}

export type DecideDutyBody = {
  decision: 'confirmed' | 'changed' | 'set_aside'
  applies?: {
    roads?: ('parcel' | 'local')[]
    classes?: ('wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none')[]
    abv_over?: number
    from?: 'same_state' | 'other_state'
    zips?: string[]
  } | null
  value?: unknown
  reason?: string | null
}

export type DecideDutyReply = {
  closing: 'recorded' | 'enforced_on_dashboard' | 'enforced'
  closing_decision: {
    was: 'recorded' | 'enforced_on_dashboard' | 'enforced'
    by: string
    on: Day
    reason: string | null
  } | null
  rules: ({
    rule: {
      id: string
      country: 'US'
      state: 'AL' | 'AK' | 'AZ' | 'AR' | 'CA' | 'CO' | 'CT' | 'DE' | 'DC' | 'FL' | 'GA' | 'HI' | 'ID' | 'IL' | 'IN' | 'IA' | 'KS' | 'KY' | 'LA' | 'ME' | 'MD' | 'MA' | 'MI' | 'MN' | 'MS' | 'MO' | 'MT' | 'NE' | 'NV' | 'NH' | 'NJ' | 'NM' | 'NY' | 'NC' | 'ND' | 'OH' | 'OK' | 'OR' | 'PA' | 'RI' | 'SC' | 'SD' | 'TN' | 'TX' | 'UT' | 'VT' | 'VA' | 'WA' | 'WV' | 'WI' | 'WY' | null
      applies: {
        roads?: ('parcel' | 'local')[]
        classes?: ('wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none')[]
        abv_over?: number
        from?: 'same_state' | 'other_state'
        zips?: string[]
      }
      words: string
      source: string
      sure: 'law' | 'carrier' | 'maker' | 'second' | 'practice' | 'terms'
      read_on: Day
      valid_from: Day | null
      valid_to: Day | null
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      value: unknown
    }
    decision: {
      decision: 'confirmed' | 'changed' | 'set_aside'
      applies: {
        roads?: ('parcel' | 'local')[]
        classes?: ('wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none')[]
        abv_over?: number
        from?: 'same_state' | 'other_state'
        zips?: string[]
      } | null
      value: unknown
      reason: string | null
      by: string
      on: Day
    } | null
    is_doubtful: boolean
  })[]
}

export type DeliveryInfo = {
  signed_by: string | null
  delivered_by: string | null
  delivered_on: Timestamp | null
}

export type DisableTwoStepBody = {
  password: string
  code: string
}

export type Dollars = number

export type EditDeliveryInstructionsBody = {
  delivery_instructions: string
  version?: SeenVersion
}

export type Empty = Record<string, unknown>

export type EndOtherSessionsReply = {
  ended: Count
}

export type ExportDetailsBody = {
  items: OrderId[]
}

export type GetBatchReply = {
  batch_id: string
  total_count: Count
  completed_count: Count
  error_count: Count
  batch_pdf_urls: {
    download: string | null
    packingslip: string | null
    receipt: string | null
    labels?: string | null
  }
  failed?: ({
    id: string
    message: string
  })[]
  in_doubt?: string[]
}

export type GetBillingReply = {
  tos_accepted: boolean
  individual: {
    first_name: string | null
    last_name: string | null
    phone: string | null
    date_of_birth: string | null
    email: string | null
    address: {
      region: string | null
      postal_code: string | null
      street_address: string | null
      locality: string | null
    }
  }
  funding: {
    descriptor: string | null
    routing_number: string | null
    account_number: string | null
    account_number_last_4: string | null
  }
  business: {
    legal_name: string | null
    dba_name: string | null
    tax_id: string | null
    address: {
      region: string | null
      postal_code: string | null
      street_address: string | null
      locality: string | null
    }
  }
}

export type GetCarrierAccountReply = {
  carrier: string
  account_number_last_4: string
  account_zip: string
  label_size: string
  label_format: string
  status: string
}

export type GetClerkFiguresReply = {
  day: Day
  clerks: ({
    id: UserId
    name: string
    decided: Count
    accepted: Count
    rejected: Count
    median: number | null
    to_accept: {
      median: number | null
      p95: number | null
    }
    to_hand_over: {
      median: number | null
      p95: number | null
    }
    late: Count
  })[]
}

export type GetDayFiguresReply = {
  day: Day
  timezone: string
  from: Timestamp
  until: Timestamp
  as_of: Timestamp
  orders: Count
  accepted: Count
  waiting: Count
  held: Count
  rejected: Count
  cancelled: Count
  late: Count
  to_accept: {
    median: number | null
    p95: number | null
  }
  to_hand_over: {
    median: number | null
    p95: number | null
  }
  open: Count
  on_hold: Count
  late_open: Count
  hours: ({
    at: Timestamp
    orders: Count
    accepted: Count
    waiting: Count
    held: Count
    rejected: Count
    cancelled: Count
    late: Count
    to_accept: {
      median: number | null
      p95: number | null
    }
    to_hand_over: {
      median: number | null
      p95: number | null
    }
  })[]
  reasons: ({
    code: string
    text: string | null
    count: Count
  })[]
  late_orders: ({
    id: OrderId
    is_open: boolean
    late_minutes: Count
    cause: 'not_accepted' | 'accepted_late' | 'brought_back' | 'courier_lost' | 'waiting_for_courier' | 'label_failed' | 'waiting_for_label' | 'at_the_counter' | 'on_the_road' | 'was_on_hold' | 'took_long'
    n: Count
  })[]
  came_back: ({
    id: OrderId
    bottles: Count
    of: Count
    by: string
    at: Timestamp
  })[]
}

export type GetDocumentReply = {
  name: string
  data: {
    notification_text: string
    message: string | null
    modal_title: string | null
    notification_color: string | null
  }
}

export type GetHoursReply = {
  regular_hours: ({
    weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    time_open: TimeOfDay
    time_close: TimeOfDay
  })[]
}

export type GetOnDutyReply = {
  is_on: boolean
  person: {
    name: string
    is_self: boolean
    by: 'mail' | 'text' | null
  } | null
}

export type GetOnboardingReply = {
  onboarding_data: {
    url: string
  } | null
  login_link: string | null
}

export type GetOrderDutiesReply = {
  block: ({
    rule: string
    kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
    words: string
    source: string | null
    read_on: Day | null
    confirmed_by: string | null
    confirmed_on: Day | null
    is_changed?: boolean
    reason?: string
    is_doubtful: boolean
    text?: string
    is_now?: boolean
    is_electronic?: boolean
    record?: ('name' | 'birth_date' | 'address')[]
  })[]
  must: ({
    rule: string
    kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
    words: string
    source: string | null
    read_on: Day | null
    confirmed_by: string | null
    confirmed_on: Day | null
    is_changed?: boolean
    reason?: string
    is_doubtful: boolean
    text?: string
    is_now?: boolean
    is_electronic?: boolean
    record?: ('name' | 'birth_date' | 'address')[]
  })[]
  tell: ({
    rule: string
    kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
    words: string
    source: string | null
    read_on: Day | null
    confirmed_by: string | null
    confirmed_on: Day | null
    is_changed?: boolean
    reason?: string
    is_doubtful: boolean
    text?: string
    is_now?: boolean
    is_electronic?: boolean
    record?: ('name' | 'birth_date' | 'address')[]
  })[]
  missing: ({
    rule: string
    kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
    words: string
    text?: string
    is_electronic?: boolean
    is_doubtful?: boolean
  })[]
  checked_at: Timestamp
  needs_check: boolean
  needs_scan: boolean
  asked?: ({
    rule: string
    by: string
    at: Timestamp
    question: string | null
    answer: {
      by: string
      at: Timestamp
      reason: string
    } | null
  })[]
}

export type GetOrdersBesideReply = {
  previous: OrderId | null
  next: OrderId | null
}

export type GetPaymentAccountReply = {
  merchant_account_id: string
}

export type GetShiftReply = {
  as_of: Timestamp
  timezone: string
  open: Count
  on_hold: Count
  groups: ({
    group: 'new' | 'printed' | 'accepted' | 'shipped' | 'completed' | 'rejected'
    n: Count
  })[]
  late: ShiftPart
  soon: ShiftPart
  waiting_for_label: ShiftPart
  problems: {
    total: Count
    orders: ShiftOrder[]
  }
  held: {
    total: Count
    orders: HeldOrder[]
  }
  clerks: ({
    by: UserId
    name: string
    n: Count
    orders: OrderId[]
  })[]
  is_cut: boolean
  is_taken_cut: boolean
}

export type GetShopDutiesReply = {
  closing: 'recorded' | 'enforced_on_dashboard' | 'enforced'
  closing_decision: {
    was: 'recorded' | 'enforced_on_dashboard' | 'enforced'
    by: string
    on: Day
    reason: string | null
  } | null
  rules: ({
    rule: {
      id: string
      country: 'US'
      state: 'AL' | 'AK' | 'AZ' | 'AR' | 'CA' | 'CO' | 'CT' | 'DE' | 'DC' | 'FL' | 'GA' | 'HI' | 'ID' | 'IL' | 'IN' | 'IA' | 'KS' | 'KY' | 'LA' | 'ME' | 'MD' | 'MA' | 'MI' | 'MN' | 'MS' | 'MO' | 'MT' | 'NE' | 'NV' | 'NH' | 'NJ' | 'NM' | 'NY' | 'NC' | 'ND' | 'OH' | 'OK' | 'OR' | 'PA' | 'RI' | 'SC' | 'SD' | 'TN' | 'TX' | 'UT' | 'VT' | 'VA' | 'WA' | 'WV' | 'WI' | 'WY' | null
      applies: {
        roads?: ('parcel' | 'local')[]
        classes?: ('wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none')[]
        abv_over?: number
        from?: 'same_state' | 'other_state'
        zips?: string[]
      }
      words: string
      source: string
      sure: 'law' | 'carrier' | 'maker' | 'second' | 'practice' | 'terms'
      read_on: Day
      valid_from: Day | null
      valid_to: Day | null
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      value: unknown
    }
    decision: {
      decision: 'confirmed' | 'changed' | 'set_aside'
      applies: {
        roads?: ('parcel' | 'local')[]
        classes?: ('wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none')[]
        abv_over?: number
        from?: 'same_state' | 'other_state'
        zips?: string[]
      } | null
      value: unknown
      reason: string | null
      by: string
      on: Day
    } | null
    is_doubtful: boolean
  })[]
}

export type GetSubmerchantReply = {
  id: string
  status: string
  tos_accepted: boolean
  funding: {
    descriptor: string | null
    account_number_last_4: string | null
  }
}

export type GetTwoStepReply = {
  is_on: boolean
  is_required: boolean
  recovery_codes_left: Count
}

export type GetTwoStepRequirementReply = {
  is_required: boolean
}

export type GetUserMerchantReply = {
  authorized_merchant: MerchantKey | null
  merchant: {
    id: MerchantKey
    name: string
  } | null
}

export type GetWatchReply = {
  is_on: boolean
  duty: {
    user_id: UserId
    by: 'mail' | 'text'
    phone: string | null
  } | null
  owner: {
    user_id: UserId
    by: 'mail' | 'text'
    phone: string | null
  } | null
  people: ({
    id: UserId
    name: string
    is_owner: boolean
  })[]
  screens: Count
  told_at: Timestamp | null
}

export type HeldOrder = {
  id: OrderId
  recipient: string
  method: string
  received_at: Timestamp
  reason: string | null
  answer_until: Timestamp | null
  taken_by: string | null
}

export type HistoryEntry = {
  at: Timestamp
  action: string
  from: string | null
  to: string
  actor: string
  party: 'merchant' | 'marketplace' | 'courier' | 'carrier' | 'system'
  comment: string | null
  details: Record<string, unknown> | null
}

export type IdReading = {
  how: 'scanned' | 'typed'
  is_over_21: boolean
  is_expired: boolean
}

export type InviteUserBody = {
  email: string
  first_name: string
  last_name: string
  roles: ('merch.user' | 'merch.manager' | 'merch.owner')[]
}

export type IsAliveReply = {
  status: 'ok'
}

export type IsReadyReply = {
  status: 'ok'
}

export type JoinTeamBody = {
  /** The last part of the mailed link. */
  token: string
}

export type KeepOrderHeldBody = {
  version?: SeenVersion
  rule: string
  reason: string
}

export type LetOrderPassBody = {
  version?: SeenVersion
  rule: string
  reason: string
}

export type LetOrdersGoBody = {
  orders: ({
    id: OrderId
  })[]
}

export type LetOrdersGoReply = {
  let_go_count: Count
}

export type LineItem = {
  id: string
  name: string
  description: string | null
  quantity: number
  price: Dollars
  subtotal: Dollars
  discount: Dollars
  image_spec: string | null
  product: {
    id: string
    container_size: string | null
  } | null
  offering: {
    id: string
    merchant_sku: string | null
    stock_behaviour: string | null
  } | null
  aux_data: {
    engraving_message: string[]
    preorder_type: string | null
    preorder_available_date: Day | null
    preorder_balance_due_excl_taxes_fees: Dollars | null
  } | null
  parent_line_item_id: string | null
  beverage_class?: 'wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none'
  abv?: number
  volume_ml?: number
}

export type ListCourierChecksReply = {
  services: ({
    service: string
    slug: string
    reliance: {
      agreement: string
      by: string
      on: Day
    } | null
  })[]
}

export type ListInspectorFilesReply = {
  files: ({
    id: string
    from: Day
    to: Day
    requested_by: string
    requested_at: Timestamp
    sales: Count
    is_finished: boolean
    problem: string | null
    url: string | null
  })[]
}

export type ListMarketplaceOrdersReply = {
  orders: MarketplaceOrder[]
  /** The cursor of the next page; null after the last. */
  next_cursor: string | null
}

export type ListMerchantOfferingsReply = {
  items: Offering[]
  total_rows: Count
}

export type ListNewestNotesReply = {
  orders: NotedOrder[]
}

export type ListOfferingsReply = {
  items: Offering[]
  total_rows: Count
  prev_url: string | null
  next_url: string | null
}

export type ListOrderFiltersReply = {
  application: {
    options: ({
      name: string
      uuid: string
    })[]
  }
  delivery_methods: {
    options: ({
      name: string
    })[]
  }
}

export type ListOutsideServicesReply = {
  services: ({
    use: 'labels' | 'couriers' | 'texts' | 'maps' | 'payments' | 'mail' | 'news' | 'files' | 'events' | 'errors'
    provider: string | null
    is_sandbox: boolean
    last_success_at: Timestamp | null
    last_failure_at: Timestamp | null
    last_failure_reason: string | null
    failures_in_a_row: Count
  })[]
  undelivered_mails: ({
    recipient: string
    subject: string
    reason: string
    at: Timestamp
  })[]
}

export type ListPushDevicesReply = {
  devices: ({
    id: string
    name: string | null
    endpoint_digest: string
    due_orders: boolean
    created_at: Timestamp
  })[]
  is_refused?: boolean
}

export type ListRolesReply = {
  roles: Role[]
}

export type ListSessionsReply = {
  items: ({
    id: string
    device: string | null
    created_at: Timestamp
    last_seen_at: Timestamp
    expires_at: Timestamp
    is_current: boolean
  })[]
}

export type ListTeamReply = {
  items: ({
    id: string
    uuid: string
    first_name: string
    last_name: string
    email: string
    phone_number: string | null
    phone: string | null
    birthday: Day | null
    date_created: Timestamp
    last_login: Timestamp | null
    userRoles: Role[]
    roles: Role[]
    aux_data: {
      authorized_merchant: MerchantKey | null
    }
    invitation_pending: boolean
    invitation_problem: string | null
  })[]
  total_rows: Count
}

export type MakeInspectorFileBody = {
  from: Day
  to: Day
}

export type MakeInspectorFileReply = {
  files: ({
    id: string
    from: Day
    to: Day
    requested_by: string
    requested_at: Timestamp
    sales: Count
    is_finished: boolean
    problem: string | null
    url: string | null
  })[]
}

export type MakePushKeyReply = {
  public_key: string
}

export type MarketplaceEvent = {
  position: Count
  webhook_id: string
  type: 'order.created' | 'order.updated'
  timestamp: Timestamp
  data: {
    id: OrderId
    thirstie_logistic_order_ref: Reference
    merchant: MerchantKey
    status: OrderStatusName
    tab: 'active' | 'on_hold' | 'cancelled' | 'completed'
    /** Of two events of an order the higher is newer. */
    version: number
    action: string
    comment: string | null
  }
}

export type MarketplaceOrder = {
  merchant: MerchantKey
  id: OrderId
  thirstie_logistic_order_ref: Reference
  status: OrderStatusName
  date_submitted: Timestamp
  application_name: string | null
  application_brand_name: string | null
  application_ref: string | null
  delivery: {
    method: string
    date: Day | null
    window: Timestamp[] | null
  }
  recipient: {
    first_name: string
    last_name: string
    street_1: string
    street_2: string | null
    street_3: string | null
    city: string
    state: string
    zipcode: string
    country: string | null
    phone_number: string | null
    delivery_instructions: string | null
  }
  customer: {
    first_name: string
    last_name: string
    email: string | null
    phone_number: string | null
    last_order: Timestamp | null
  }
  gift_message: {
    message: string
  } | null
  promo_code: string | null
  printed_timestamp: Timestamp | null
  status_comment: string | null
  status_recent_comment: string | null
  courier_estimate_id: string | null
  shipment_info: ({
    carrier: string
    tracking_url: string | null
    tracking_code: string
  })[]
  tracking_id: string | null
  tracking_provider: string | null
  tracking_url: string | null
  other_tracking_provider: string | null
  transaction: {
    subtotal: Dollars
    tax: Dollars
    delivery_fee: Dollars
    shipping: Dollars
    tip: Dollars
    total: Dollars
  }
  order_weight: number | null
  items: LineItem[]
  courier_info: CourierInfo | null
  rejection_message: string | null
  shortage?: {
    lines: ({
      line_id: string
      name: string
      quantity: Count
      missing: Count
    })[]
    total: number
    refund: number
  }
  substitutes?: OrderSubstitutes
  aux_data: {
    courier_pick_instructions: string | null
  }
  delivery_info: DeliveryInfo | null
  age_check?: AgeCheck
  came_back?: {
    bottles: Count
    of: Count
    at: Timestamp
  }
  restocking_fee?: number
  duties?: {
    block: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    must: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    set_aside?: string[]
    asked?: string[]
    kept_held?: string[]
    missing?: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    relied_on?: {
      service: string
      by: string
      on: Day
    }
    note?: string
  }
  version: number
  on_track_status: {
    message: string
    type: 'SLA0' | 'SLA1' | 'SLA2'
    deadline_at?: Timestamp
  } | null
}

export type Merchant = {
  id: MerchantKey
  name: string
  email: string
  primary_phone: string
  address: {
    street_1: string
    street_2: string | null
    street_3: string | null
    city: string
    state: string
    zipcode: string
  }
  aux_data: {
    primary_contact_name: string | null
    secondary_contact_name: string | null
    secondary_email: string | null
    secondary_phone_number: string | null
  }
  timezone: string
  carrier_integration: {
    carrier: string
    status: string
  } | null
  paymentSetUp: boolean
}

export type MerchantKey = string

export type NewAgeCheck = {
  method: 'driver_license' | 'state_id' | 'passport' | 'military_id' | 'other_id'
  checked_by?: string | null
  reading?: IdReading | null
  fields?: {
    name?: string | null
    birth_date?: Day | null
    address?: string | null
  } | null
}

export type NewItems = ({
  id: string
  name: string
  description?: string | null
  quantity: number
  price: Dollars
  subtotal: Dollars
  discount?: Dollars | null
  image_spec?: string | null
  product?: {
    id: string
    container_size?: string | null
  } | null
  offering?: {
    id: string
    merchant_sku?: string | null
    stock_behaviour?: string | null
  } | null
  aux_data?: {
    engraving_message?: string[] | null
    preorder_type?: string | null
    preorder_available_date?: Day | null
    preorder_balance_due_excl_taxes_fees?: Dollars | null
  } | null
  parent_line_item_id?: string | null
  beverage_class?: 'wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none' | null
  abv?: number | null
  volume_ml?: number | null
})[]

export type NewOrder = {
  merchant: MerchantKey
  thirstie_logistic_order_ref: Reference
  date_submitted?: Timestamp | null
  application_name?: string | null
  application_brand_name?: string | null
  application_ref?: Reference | null
  delivery: {
    method: string
    date?: Day | null
    window?: Timestamp[] | null
  }
  recipient: {
    first_name: string
    last_name: string
    street_1: string
    street_2?: string | null
    street_3?: string | null
    city: string
    state: string
    zipcode: string
    country?: string | null
    phone_number?: string | null
    delivery_instructions?: string | null
  }
  customer: {
    first_name: string
    last_name: string
    email?: string | null
    phone_number?: string | null
    last_order?: Timestamp | null
  }
  gift_message?: {
    message: string
  } | null
  promo_code?: string | null
  courier_estimate_id?: string | null
  transaction: {
    subtotal: Dollars
    tax?: Dollars | null
    delivery_fee?: Dollars | null
    shipping?: Dollars | null
    tip?: Dollars | null
    total: Dollars
  }
  order_weight?: number | null
  items: NewItems
  aux_data?: {
    courier_pick_instructions?: string | null
  } | null
}

export type Note = {
  id: string
  text: string
  author: string
  at: Timestamp
  can_delete: boolean
}

export type NotedOrder = {
  id: OrderId
  count: Count
  newest: {
    text: string
    author: string
    at: Timestamp
  }
}

export type Notes = {
  notes: Note[]
}

export type OfferSubstitutesBody = {
  version?: SeenVersion
  line_id: string
  offerings: string[]
  by: 'text' | 'mail'
}

export type Offering = {
  id: string
  price: number
  quantity: number
  is_active: boolean
  stock_behavior: string | null
  product: {
    tpk: string
    product_line: {
      name: string
      brand: {
        name: string
      } | null
    } | null
    container_size: {
      formatted: string
    } | null
  } | null
  merchant: {
    name: string
  }
  beverage_class?: 'wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none'
  abv?: number
  volume_ml?: number
  gtin?: string
  location?: string
  taken_down?: TakenDown
}

export type Order = {
  id: OrderId
  thirstie_logistic_order_ref: Reference
  status: OrderStatusName
  date_submitted: Timestamp
  application_name: string | null
  application_brand_name: string | null
  application_ref: string | null
  delivery: {
    method: string
    date: Day | null
    window: Timestamp[] | null
  }
  recipient: {
    first_name: string
    last_name: string
    street_1: string
    street_2: string | null
    street_3: string | null
    city: string
    state: string
    zipcode: string
    country: string | null
    phone_number: string | null
    delivery_instructions: string | null
  }
  customer: {
    first_name: string
    last_name: string
    email: string | null
    phone_number: string | null
    last_order: Timestamp | null
  }
  gift_message: {
    message: string
  } | null
  promo_code: string | null
  printed_timestamp: Timestamp | null
  status_comment: string | null
  status_recent_comment: string | null
  courier_estimate_id: string | null
  shipment_info: ({
    carrier: string
    tracking_url: string | null
    tracking_code: string
  })[]
  tracking_id: string | null
  tracking_provider: string | null
  tracking_url: string | null
  other_tracking_provider: string | null
  transaction: {
    subtotal: Dollars
    tax: Dollars
    delivery_fee: Dollars
    shipping: Dollars
    tip: Dollars
    total: Dollars
  }
  order_weight: number | null
  items: LineItem[]
  courier_info: CourierInfo | null
  rejection_message: string | null
  shortage?: {
    lines: ({
      line_id: string
      name: string
      quantity: Count
      missing: Count
    })[]
    total: number
    refund: number
  }
  substitutes?: OrderSubstitutes
  aux_data: {
    courier_pick_instructions: string | null
  }
  delivery_info: DeliveryInfo | null
  age_check?: AgeCheck
  came_back?: {
    bottles: Count
    of: Count
    at: Timestamp
  }
  restocking_fee?: number
  duties?: {
    block: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    must: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    set_aside?: string[]
    asked?: string[]
    kept_held?: string[]
    missing?: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    relied_on?: {
      service: string
      by: string
      on: Day
    }
    note?: string
  }
  version: number
  on_track_status: {
    message: string
    type: 'SLA0' | 'SLA1' | 'SLA2'
    deadline_at?: Timestamp
  } | null
  taken?: Taken
}

export type OrderDetail = {
  id: OrderId
  thirstie_logistic_order_ref: Reference
  status: OrderStatusName
  date_submitted: Timestamp
  application_name: string | null
  application_brand_name: string | null
  application_ref: string | null
  delivery: {
    method: string
    date: Day | null
    window: Timestamp[] | null
  }
  recipient: {
    first_name: string
    last_name: string
    street_1: string
    street_2: string | null
    street_3: string | null
    city: string
    state: string
    zipcode: string
    country: string | null
    phone_number: string | null
    delivery_instructions: string | null
  }
  customer: {
    first_name: string
    last_name: string
    email: string | null
    phone_number: string | null
    last_order: Timestamp | null
  }
  gift_message: {
    message: string
  } | null
  promo_code: string | null
  printed_timestamp: Timestamp | null
  status_comment: string | null
  status_recent_comment: string | null
  courier_estimate_id: string | null
  shipment_info: ({
    carrier: string
    tracking_url: string | null
    tracking_code: string
  })[]
  tracking_id: string | null
  tracking_provider: string | null
  tracking_url: string | null
  other_tracking_provider: string | null
  transaction: {
    subtotal: Dollars
    tax: Dollars
    delivery_fee: Dollars
    shipping: Dollars
    tip: Dollars
    total: Dollars
  }
  order_weight: number | null
  items: LineItem[]
  courier_info: CourierInfo | null
  rejection_message: string | null
  shortage?: {
    lines: ({
      line_id: string
      name: string
      quantity: Count
      missing: Count
    })[]
    total: number
    refund: number
  }
  substitutes?: OrderSubstitutes
  aux_data: {
    courier_pick_instructions: string | null
  }
  delivery_info: DeliveryInfo | null
  age_check?: AgeCheck
  came_back?: {
    bottles: Count
    of: Count
    at: Timestamp
  }
  restocking_fee?: number
  duties?: {
    block: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    must: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    set_aside?: string[]
    asked?: string[]
    kept_held?: string[]
    missing?: ({
      rule: string
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      words: string
      text?: string
      is_electronic?: boolean
      is_doubtful?: boolean
    })[]
    relied_on?: {
      service: string
      by: string
      on: Day
    }
    note?: string
  }
  version: number
  on_track_status: {
    message: string
    type: 'SLA0' | 'SLA1' | 'SLA2'
    deadline_at?: Timestamp
  } | null
  taken?: Taken
  history?: HistoryEntry[]
}

/** Order number: digits */
export type OrderId = string

export type OrderPage = {
  items: Order[]
  total_rows: Count
  prev_url: string | null
  next_url: string | null
  timezone: string
  counts: {
    active: Count
    on_hold: Count
    completed: Count
    cancelled: Count
  }
  next_deadline?: {
    id: OrderId
    deadline_at: Timestamp
    delivery_method: 'on_demand' | 'scheduled' | 'preorder' | 'deposit' | 'shipped'
  } | null
  filters: {
    available: {
      application_ref: {
        options: ({
          name: string
          uuid: string
          count: Count
        })[]
      }
      status: {
        options: ({
          name: string
          value: string
          count: Count
        })[]
      }
      delivery_method?: {
        options: ({
          name: string
          value: string
          count: Count
        })[]
      }
      needs_a_look?: {
        count: Count
      }
      undecided?: {
        count: Count
      }
      due?: {
        late: Count
        soon: Count
      }
      late?: {
        count: Count
      }
      due_soon?: {
        count: Count
      }
      slips?: {
        missing: Count
      }
    }
  }
  sort: {
    available: 'date'[]
  }
  current_filter: Record<string, string>
  current_sort: Record<string, string>
}

export type OrderStatusChange = {
  status: string
  comment?: string | null
  items?: NewItems | null
  transaction?: {
    subtotal: Dollars
    tax?: Dollars | null
    delivery_fee?: Dollars | null
    shipping?: Dollars | null
    tip?: Dollars | null
    total: Dollars
  } | null
}

export type OrderStatusName = 'SUBMITTED' | 'MERCHANT_ACCEPTED' | 'PAYMENT_SUBMITTED' | 'PAYMENT_APPROVED' | 'PAYMENT_DECLINED' | 'MERCHANT_SHIPPED' | 'CLOSED' | 'REJECTED_PARTIAL' | 'MERCHANT_REJECTED' | 'CANCELLED' | 'DISPUTED' | 'REFUNDED'

export type OrderSubstitutes = {
  offers: SubstituteOffer[]
  agreed?: {
    items: LineItem[]
    transaction: {
      subtotal: Dollars
      tax: Dollars
      delivery_fee: Dollars
      shipping: Dollars
      tip: Dollars
      total: Dollars
    }
    refund: number
  }
}

export type PickAnswer = {
  result: 'right' | 'wrong' | 'too_many' | 'no_code' | 'unreadable' | 'stopped' | 'gone'
  scanned: {
    offering_id: string
    name: string | null
    container_size: string | null
    location: string | null
  } | null
  order: PickOrder
}

export type PickBottleBody = {
  line_id: string
  code?: string | null
}

export type PickLine = {
  id: string
  name: string
  container_size: string | null
  image_spec: string | null
  merchant_sku: string | null
  offering_id: string | null
  location: string | null
  code_ends: string | null
  is_active?: boolean
  taken_down?: TakenDown
  quantity: Count
  missing: Count
  picked: Count
  by_hand: Count
  too_many: Count
}

export type PickOrder = {
  id: OrderId
  status: OrderStatusName
  version: number
  recipient: string
  deadline_at: Timestamp
  delivery_method: string
  is_open: boolean
  lines: PickLine[]
  picked_at: Timestamp | null
}

export type Picks = {
  orders: PickOrder[]
}

export type PrintReportsBody = {
  order_keys: Reference[]
  report_types: ('receipt' | 'packingslip')[]
  paper?: 'letter' | 'roll80' | 'label4x6'
}

export type Problem = {
  /** For people. */
  message: string
  /** For programs. New codes can come. */
  code: string
  /** RFC 9457: which problem it is. It ends in the code. */
  type?: string
  /** RFC 9457: the usual sentence of the code. */
  title?: string
  /** RFC 9457: the status of the answer. */
  status?: number
  /** RFC 9457: what happened here; the same as `message`. */
  detail?: string
  /** RFC 9457: the id of the request, as in the header `x-request-id`. */
  instance?: string
  errors?: Record<string, string> | ({
    message: string
  })[]
}

export type Queue = {
  late: number
  soon: number
  decide: OrderId[]
  do: OrderId[]
  taken?: ({
    id: OrderId
    by: UserId
  })[]
  undecided?: number
  needs_a_look?: number
  slips?: number
  clerks?: ({
    by: UserId
    name: string
    n: Count
  })[]
}

export type QuoteLabelsBody = {
  boxes?: ({
    weight?: number | null
    insurance?: number | null
  })[]
}

export type QuoteLabelsReply = {
  boxes: ({
    carrier: string
    service: string
    price_cents: Count
  })[]
  refusal: {
    code: string
    message: string
  } | null
}

export type ReadEventsReply = {
  events: MarketplaceEvent[]
  /** The position to ask after in the next call. */
  next: number
  has_more: boolean
  /** Events between `after` and the first one here are deleted already: read the orders themselves. */
  has_gap: boolean
}

export type ReadInvitationBody = {
  /** The last part of the mailed link. */
  token: string
}

export type ReadInvitationReply = {
  merchant: {
    id: MerchantKey
    name: string
  }
  email: string
  roles: Role[]
}

export type ReadWebhookReply = {
  url: string
  /** switched_off: the receiver answered 410, and nothing is sent until a webhook is registered. held: the operator has restored a backup and lets nothing out yet. */
  status: 'active' | 'switched_off' | 'held'
  registered_at: Timestamp
  switched_off_at: Timestamp | null
  switched_off_because: string | null
  previous_secret_until: Timestamp | null
  /** Events that no reply has taken yet. */
  waiting_events: number
  oldest_waiting: Timestamp | null
  /** Why the last try for the oldest waiting event failed. */
  last_error: string | null
  /** Events of at least the last seven days that were tried ten times. Read them after their position. */
  given_up_events: number
}

export type RedeemHandoverBody = {
  /** The `jwt` of the link. The token of a session is refused. */
  token: string
  /** The `tmk` of the link. */
  merchant: string
  /** A random text of your own. While the link lives, the same text redeems it again, should the answer have been lost. */
  attempt?: string
}

export type Reference = string

export type RefreshCourierReply = {
  courier_info: CourierInfo
}

export type RegisterWebhookBody = {
  url: string
  secret: string
  /** For so long every event also carries a signature by the secret before this one. Without it the old secret ends at once. */
  keep_previous_secret_hours?: number
}

export type RegisterWebhookReply = {
  url: string
  status: string
}

export type RejectOrderBody = {
  status?: 'MERCHANT_REJECTED' | 'REJECTED_MERCHANT' | 'REJECTED_PARTIAL'
  version?: SeenVersion
  reason: {
    code: 'customer_cancelled' | 'courier_issue' | 'bad_weather' | 'store_closed' | 'other'
    value?: string | null
  }
  rejection_message?: string | null
}

export type RemovePushDeviceReply = {
  devices: ({
    id: string
    name: string | null
    endpoint_digest: string
    due_orders: boolean
    created_at: Timestamp
  })[]
}

export type RenewRecoveryCodesBody = {
  password: string
  code: string
}

export type RenewRecoveryCodesReply = {
  recovery_codes: string[]
}

export type ReportCarrierEventBody = {
  tracking_code: string
  event: 'in_transit' | 'delivered' | 'failed'
  at?: Timestamp | null
}

export type ReportCourierEventBody = {
  provider?: string | null
  tracking_url?: string | null
  number_of_packages?: number | null
  estimated_delivery_time?: Timestamp | null
  estimated_pickup_time?: Timestamp | null
  requested_pickup_time?: Timestamp | null
  order_status: 'ORDER_REQUESTED' | 'ORDER_ASSIGNED' | 'ORDER_PICKED_UP' | 'ORDER_DELIVERED' | 'ORDER_CANCELLED' | 'ORDER_FAILED'
}

export type ReportPresenceBody = {
  screen: ScreenId
  order_id: OrderId | null
  activity: 'viewing' | 'deciding'
}

export type ReportPresenceReply = {
  renew_within_ms: Count
}

export type ReportScreenBody = {
  screen: ScreenId
  kind: 'desk' | 'wall'
}

export type ReportScreenReply = {
  renew_within_ms: Count
}

export type RequestCourierBody = {
  courier_info: {
    dispatch_type: 'immediate'
    number_of_package: number
    pickup_instructions?: string | null
    save_instructions?: boolean | null
  }
}

export type RequestPasswordResetBody = {
  email: string
}

export type RequireTwoStepBody = {
  is_required: boolean
}

export type RequireTwoStepReply = {
  is_required: boolean
}

export type ResendInvitationReply = {
  id: string
  uuid: string
  first_name: string
  last_name: string
  email: string
  phone_number: string | null
  phone: string | null
  birthday: Day | null
  date_created: Timestamp
  last_login: Timestamp | null
  userRoles: Role[]
  roles: Role[]
  aux_data: {
    authorized_merchant: MerchantKey | null
  }
  invitation_pending: boolean
  invitation_problem: string | null
}

export type ResetPasswordBody = {
  new_password: string
  reset_token: string
}

export type RevokeAccessBody = {
  authorized_merchant: null
}

export type Role = {
  name: string
  label: string
}

export type SaveCarrierAccountBody = {
  carrier: 'FedEx' | 'UPS' | 'GSO'
  account_number?: string | null
  account_zip: string
  label_size: '4x6' | '8.5x11'
  label_format: 'PDF' | 'PNG' | 'ZPL'
}

export type SaveCarrierAccountReply = {
  carrier: string
  account_number_last_4: string
  account_zip: string
  label_size: string
  label_format: string
  status: string
}

export type SaveClosingBody = {
  closing: 'recorded' | 'enforced_on_dashboard' | 'enforced'
  reason?: string | null
}

export type SaveClosingReply = {
  closing: 'recorded' | 'enforced_on_dashboard' | 'enforced'
  closing_decision: {
    was: 'recorded' | 'enforced_on_dashboard' | 'enforced'
    by: string
    on: Day
    reason: string | null
  } | null
  rules: ({
    rule: {
      id: string
      country: 'US'
      state: 'AL' | 'AK' | 'AZ' | 'AR' | 'CA' | 'CO' | 'CT' | 'DE' | 'DC' | 'FL' | 'GA' | 'HI' | 'ID' | 'IL' | 'IN' | 'IA' | 'KS' | 'KY' | 'LA' | 'ME' | 'MD' | 'MA' | 'MI' | 'MN' | 'MS' | 'MO' | 'MT' | 'NE' | 'NV' | 'NH' | 'NJ' | 'NM' | 'NY' | 'NC' | 'ND' | 'OH' | 'OK' | 'OR' | 'PA' | 'RI' | 'SC' | 'SD' | 'TN' | 'TX' | 'UT' | 'VT' | 'VA' | 'WA' | 'WV' | 'WI' | 'WY' | null
      applies: {
        roads?: ('parcel' | 'local')[]
        classes?: ('wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none')[]
        abv_over?: number
        from?: 'same_state' | 'other_state'
        zips?: string[]
      }
      words: string
      source: string
      sure: 'law' | 'carrier' | 'maker' | 'second' | 'practice' | 'terms'
      read_on: Day
      valid_from: Day | null
      valid_to: Day | null
      kind: 'destination' | 'dry_area' | 'po_box' | 'carrier_service' | 'adult_signature' | 'hours' | 'age_check' | 'retention' | 'purge' | 'slip_text' | 'volume_report' | 'quantity_limit'
      value: unknown
    }
    decision: {
      decision: 'confirmed' | 'changed' | 'set_aside'
      applies: {
        roads?: ('parcel' | 'local')[]
        classes?: ('wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none')[]
        abv_over?: number
        from?: 'same_state' | 'other_state'
        zips?: string[]
      } | null
      value: unknown
      reason: string | null
      by: string
      on: Day
    } | null
    is_doubtful: boolean
  })[]
}

export type SaveDeliveryDetailsBody = {
  delivered_on?: string | null
  signed_by?: string | null
  delivered_by?: string | null
  age_check?: NewAgeCheck | null
  version?: SeenVersion
}

export type SaveDeliveryDetailsReply = {
  delivery_info: DeliveryInfo
}

export type SavePushDeviceBody = {
  endpoint: string
  keys: {
    p256dh: string
    auth: string
  }
  due_orders: boolean
}

export type SavePushDeviceReply = {
  devices: ({
    id: string
    name: string | null
    endpoint_digest: string
    due_orders: boolean
    created_at: Timestamp
  })[]
}

export type SaveViewBody = {
  name: string
  search: ViewSearch
  is_shared: boolean
  replaces?: boolean
}

export type SavedView = {
  id: string
  name: string
  search: ViewSearch
  is_shared: boolean
  maker: string
  can_change: boolean
}

export type SavedViews = {
  views: SavedView[]
}

export type ScreenId = string

export type SeenVersion = number

export type SendTextMessageBody = {
  number: string
  message: string
}

export type Session = {
  token: string
  user: User
}

export type ShiftOrder = {
  id: OrderId
  recipient: string
  method: string
  group: 'new' | 'printed' | 'accepted' | 'shipped' | 'completed' | 'rejected'
  deadline_at: Timestamp
  taken_by: string | null
  problem: 'needs_look' | 'label_failed' | 'courier_failed' | 'courier_cancelled' | null
}

export type ShiftPart = {
  total: Count
  orders: ShiftOrder[]
}

export type SignInBody = {
  email: string
  password: string
  /** The second step of those who use one: a code of their app, or a recovery code. */
  code?: string
}

export type SignUpBody = {
  first_name: string
  last_name: string
  email: string
  password: string
  birthday: string
}

export type StartTwoStepBody = {
  password: string
}

export type StartTwoStepReply = {
  secret: string
  otpauth_url: string
}

export type SubstituteOffer = {
  id: string
  line_id: string
  name: string
  missing: Count
  offered: ({
    offering_id: string
    price: Dollars
    difference: number
    line: {
      name: string
      description: string | null
      image_spec: string | null
      product: {
        id: string
        container_size: string | null
      } | null
      offering: {
        id: string
        merchant_sku: string | null
        stock_behaviour: string | null
      } | null
      beverage_class?: 'wine' | 'beer' | 'cider' | 'spirits' | 'other' | 'none'
      abv?: number
      volume_ml?: number
    }
  })[]
  by: 'text' | 'mail'
  until: Timestamp
  silence: 'refund' | 'take_first' | 'reject'
  state: 'offered' | 'chosen' | 'declined' | 'silent' | 'withdrawn' | 'unreached'
  choice: string | null
  ended_at: Timestamp | null
}

export type SubstituteSettings = {
  minutes: number
  silence: 'refund' | 'take_first' | 'reject'
}

export type TakeBottlesBackBody = {
  bottles: number
  version?: SeenVersion
}

export type TakeDutyBody = {
  by: 'mail' | 'text'
  phone: string | null
}

export type TakeDutyReply = {
  is_on: boolean
  person: {
    name: string
    is_self: boolean
    by: 'mail' | 'text' | null
  } | null
}

export type TakeOffSaleBody = {
  line_id: string
}

export type TakeOrderBody = {
  over?: string
}

export type TakeOrdersBody = {
  orders: ({
    id: OrderId
  })[]
}

export type TakeOrdersReply = {
  taken_count: Count
  not_taken: ({
    id: OrderId
    message: string
  })[]
}

export type Taken = {
  by: UserId
  name: string
  since: Timestamp
}

export type TakenDown = {
  at: Timestamp
  by: string
  order_id: OrderId
}

/** HH:MM, 24 hours */
export type TimeOfDay = string

/** ISO 8601 with a zone, e.g. 2026-11-20T18:12:00Z */
export type Timestamp = string

export type UndoCameBackBody = {
  version?: SeenVersion
}

export type UpdateBillingBody = {
  tos_accepted?: boolean
  individual?: {
    first_name?: string | null
    last_name?: string | null
    phone?: string | null
    date_of_birth?: string | null
    email?: string | null
    address?: {
      region?: string | null
      postal_code?: string | null
      street_address?: string | null
      locality?: string | null
    }
  }
  funding?: {
    descriptor?: string | null
    routing_number?: string | null
    account_number?: string | null
    account_number_last_4?: string | null
  }
  business?: {
    legal_name?: string | null
    dba_name?: string | null
    tax_id?: string | null
    address?: {
      region?: string | null
      postal_code?: string | null
      street_address?: string | null
      locality?: string | null
    }
  }
}

export type UpdateBillingReply = {
  tos_accepted: boolean
  individual: {
    first_name: string | null
    last_name: string | null
    phone: string | null
    date_of_birth: string | null
    email: string | null
    address: {
      region: string | null
      postal_code: string | null
      street_address: string | null
      locality: string | null
    }
  }
  funding: {
    descriptor: string | null
    routing_number: string | null
    account_number: string | null
    account_number_last_4: string | null
  }
  business: {
    legal_name: string | null
    dba_name: string | null
    tax_id: string | null
    address: {
      region: string | null
      postal_code: string | null
      street_address: string | null
      locality: string | null
    }
  }
}

export type UpdateHoursBody = {
  regular_hours: ({
    weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    time_open: TimeOfDay
    time_close: TimeOfDay
  })[]
}

export type UpdateHoursReply = {
  regular_hours: ({
    weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    time_open: TimeOfDay
    time_close: TimeOfDay
  })[]
}

export type UpdateMerchantBody = {
  name: string
  email: string
  primary_phone: string
  address: {
    street_1: string
    street_2: string
    street_3?: string | null
    city: string
    state: string
    zipcode: string
  }
}

export type UpdateMerchantContactsBody = {
  primary_contact_name: string
  secondary_contact_name?: string | null
  secondary_email?: string | null
  secondary_phone_number?: string | null
}

export type UpdateOrderBody = {
  id?: OrderId
  version?: SeenVersion
  status: 'MERCHANT_ACCEPTED' | 'MERCHANT_SHIPPED' | 'REJECTED_PARTIAL' | 'CLOSED'
  order?: {
    /** Ignored */
    id?: unknown
    /** Ignored */
    thirstie_logistic_order_ref?: unknown
    /** Ignored */
    status?: unknown
    /** Ignored */
    date_submitted?: unknown
    /** Ignored */
    application_name?: unknown
    /** Ignored */
    application_brand_name?: unknown
    /** Ignored */
    application_ref?: unknown
    /** Ignored */
    delivery?: unknown
    /** Ignored */
    recipient?: unknown
    /** Ignored */
    customer?: unknown
    /** Ignored */
    gift_message?: unknown
    /** Ignored */
    promo_code?: unknown
    /** Ignored */
    printed_timestamp?: unknown
    /** Ignored */
    status_comment?: unknown
    /** Ignored */
    status_recent_comment?: unknown
    /** Ignored */
    courier_estimate_id?: unknown
    /** Ignored */
    shipment_info?: unknown
    tracking_id?: string | null
    tracking_provider?: string | null
    tracking_url?: string | null
    other_tracking_provider?: string | null
    /** Ignored */
    transaction?: unknown
    /** Ignored */
    order_weight?: unknown
    /** Ignored */
    items?: unknown
    /** Ignored */
    courier_info?: unknown
    rejection_message?: string | null
    /** Ignored */
    shortage?: unknown
    /** Ignored */
    substitutes?: unknown
    /** Ignored */
    aux_data?: unknown
    /** Ignored */
    delivery_info?: unknown
    /** Ignored */
    age_check?: unknown
    /** Ignored */
    came_back?: unknown
    /** Ignored */
    restocking_fee?: unknown
    /** Ignored */
    duties?: unknown
    /** Ignored */
    version?: unknown
    /** Ignored */
    on_track_status?: unknown
    /** Ignored */
    taken?: unknown
    /** Ignored */
    history?: unknown
  } | null
  delivery_info?: {
    signed_by?: string | null
    delivered_by?: string | null
    delivered_on?: string | null
    age_check?: NewAgeCheck | null
  } | null
}

export type UpdateOrderByPostBody = {
  id?: OrderId
  version?: SeenVersion
  status: 'MERCHANT_ACCEPTED' | 'MERCHANT_SHIPPED' | 'REJECTED_PARTIAL' | 'CLOSED'
  order?: {
    /** Ignored */
    id?: unknown
    /** Ignored */
    thirstie_logistic_order_ref?: unknown
    /** Ignored */
    status?: unknown
    /** Ignored */
    date_submitted?: unknown
    /** Ignored */
    application_name?: unknown
    /** Ignored */
    application_brand_name?: unknown
    /** Ignored */
    application_ref?: unknown
    /** Ignored */
    delivery?: unknown
    /** Ignored */
    recipient?: unknown
    /** Ignored */
    customer?: unknown
    /** Ignored */
    gift_message?: unknown
    /** Ignored */
    promo_code?: unknown
    /** Ignored */
    printed_timestamp?: unknown
    /** Ignored */
    status_comment?: unknown
    /** Ignored */
    status_recent_comment?: unknown
    /** Ignored */
    courier_estimate_id?: unknown
    /** Ignored */
    shipment_info?: unknown
    tracking_id?: string | null
    tracking_provider?: string | null
    tracking_url?: string | null
    other_tracking_provider?: string | null
    /** Ignored */
    transaction?: unknown
    /** Ignored */
    order_weight?: unknown
    /** Ignored */
    items?: unknown
    /** Ignored */
    courier_info?: unknown
    rejection_message?: string | null
    /** Ignored */
    shortage?: unknown
    /** Ignored */
    substitutes?: unknown
    /** Ignored */
    aux_data?: unknown
    /** Ignored */
    delivery_info?: unknown
    /** Ignored */
    age_check?: unknown
    /** Ignored */
    came_back?: unknown
    /** Ignored */
    restocking_fee?: unknown
    /** Ignored */
    duties?: unknown
    /** Ignored */
    version?: unknown
    /** Ignored */
    on_track_status?: unknown
    /** Ignored */
    taken?: unknown
    /** Ignored */
    history?: unknown
  } | null
  delivery_info?: {
    signed_by?: string | null
    delivered_by?: string | null
    delivered_on?: string | null
    age_check?: NewAgeCheck | null
  } | null
}

export type UpdateUserBody = {
  first_name?: string
  last_name?: string
  email?: string
  /** Null takes the number away. An empty text, here and in the passwords, is as if left out. */
  phone_number?: string | null
  password?: string
  new_password?: string
  /** Needed with a new password or a changed e-mail by those who sign in in two steps: a code of their app, or a recovery code. */
  code?: string
}

export type UpdateWatchBody = {
  is_on?: boolean
  duty?: {
    user_id: UserId
    by: 'mail' | 'text'
    phone: string | null
  } | null
  owner?: {
    user_id: UserId
    by: 'mail' | 'text'
    phone: string | null
  } | null
}

export type UpdateWatchReply = {
  is_on: boolean
  duty: {
    user_id: UserId
    by: 'mail' | 'text'
    phone: string | null
  } | null
  owner: {
    user_id: UserId
    by: 'mail' | 'text'
    phone: string | null
  } | null
  people: ({
    id: UserId
    name: string
    is_owner: boolean
  })[]
  screens: Count
  told_at: Timestamp | null
}

export type User = {
  id: string
  uuid: string
  first_name: string
  last_name: string
  email: string
  phone_number: string | null
  phone: string | null
  birthday: Day | null
  date_created: Timestamp
  last_login: Timestamp | null
  userRoles: Role[]
  roles: Role[]
  aux_data: {
    authorized_merchant: MerchantKey | null
  }
}

export type UserId = string

export type ViewSearch = {
  tab: 'active' | 'on_hold' | 'cancelled' | 'completed'
  sort?: 'asc' | 'desc' | 'due'
  status?: string
  method?: string
  brand?: string
  needs_a_look?: '1'
  due?: 'late' | 'soon'
  mine?: 'yes'
}

/** Each call: the parts of its request and its reply. */
export interface Operations {
  /** Accept up to 200 orders */
  acceptOrders: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: AcceptOrdersBody
    reply: AcceptOrdersReply
    takesKey: true
  }
  /** Take notice of alarms: they stop on every device of the merchant. Only owners take notice of a question to them */
  acknowledgeAlarms: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: AcknowledgeAlarmsBody
    reply: AcknowledgeAlarmsReply
    takesKey: false
  }
  /** Add a note to an order */
  addOrderNote: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: AddOrderNoteBody
    reply: Notes
    takesKey: true
  }
  /** Leave a note for the next shift */
  addShiftNote: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: AddShiftNoteBody
    reply: Notes
    takesKey: true
  }
  /** The customer's answer from that page; the first one counts */
  answerOffer: {
    params: {
      token: string
    }
    query: undefined
    body: undefined
    reply: null
    takesKey: false
  }
  /** Ask the owners, by mail and on their screens, to decide about a rule that stands against an order. A question that waits for its answer is not asked again */
  askOwner: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: AskOwnerBody
    reply: Order
    takesKey: true
  }
  /** The order was not handed over at the door and comes back, with the reason */
  bringBack: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: BringBackBody
    reply: Order
    takesKey: true
  }
  /** Buy one shipping label per box */
  buyLabels: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: BuyLabelsBody
    reply: BuyLabelsReply
    takesKey: true
  }
  /** Buy the shipping labels of up to 200 orders, one box each, as one file; ours, beside the specified calls */
  buyManyLabels: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: BuyManyLabelsBody
    reply: BatchStarted
    takesKey: true
  }
  /** Take a courier request back; harmless when it is cancelled already */
  cancelCourier: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: Order
    takesKey: false
  }
  /** Payment, cancellation, dispute, refund, or resuming a held order */
  changeOrderStatus: {
    params: {
      id: OrderId
    }
    query: undefined
    body: OrderStatusChange
    reply: Order
    takesKey: true
  }
  /** Replace a colleague's merchant roles */
  changeRoles: {
    params: {
      id: UserId
    }
    query: undefined
    body: ChangeRolesBody
    reply: ChangeRolesReply
    takesKey: false
  }
  /** Give a saved view another name. Ours */
  changeView: {
    params: {
      tmk: MerchantKey
      view: string
    }
    query: undefined
    body: ChangeViewBody
    reply: SavedViews
    takesKey: true
  }
  /** Turn two-step sign-in on with a first code; answers the recovery codes, this once. Other sessions end */
  confirmTwoStep: {
    params: {
      id: UserId
    }
    query: undefined
    body: ConfirmTwoStepBody
    reply: ConfirmTwoStepReply
    takesKey: false
  }
  /** Correct the address of an order that has not been shipped; ours, beside the specified calls */
  correctAddress: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: CorrectAddressBody
    reply: Order
    takesKey: true
  }
  /** Correct a typed tracking number after the fact */
  correctTracking: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: CorrectTrackingBody
    reply: Order
    takesKey: true
  }
  /** Number of orders per tab */
  countOrders: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: CountOrdersReply
    takesKey: false
  }
  /** A link that signs a user in once, within 60 seconds */
  createHandover: {
    params: undefined
    query: undefined
    body: CreateHandoverBody
    reply: CreateHandoverReply
    takesKey: false
  }
  /** Send an order to a merchant */
  createOrder: {
    params: undefined
    query: undefined
    body: NewOrder
    reply: Order
    takesKey: true
  }
  /** Rely on the ID checks of a courier service by its agreement, or no longer */
  decideCourierCheck: {
    params: {
      tmk: MerchantKey
      service: string
    }
    query: undefined
    body: DecideCourierCheckBody
    reply: DecideCourierCheckReply
    takesKey: true
  }
  /** Confirm a rule, change what it applies to or asks for, or set it aside */
  decideDuty: {
    params: {
      tmk: MerchantKey
      rule: string
    }
    query: undefined
    body: DecideDutyBody
    reply: DecideDutyReply
    takesKey: true
  }
  /** Delete a note for good: its author may, and managers and owners */
  deleteOrderNote: {
    params: {
      tmk: MerchantKey
      id: OrderId
      note: string
    }
    query: undefined
    body: undefined
    reply: Notes
    takesKey: true
  }
  /** Delete a note of the store for good: its author may, and managers and owners */
  deleteShiftNote: {
    params: {
      tmk: MerchantKey
      note: string
    }
    query: undefined
    body: undefined
    reply: Notes
    takesKey: true
  }
  /** Turn two-step sign-in off */
  disableTwoStep: {
    params: {
      id: UserId
    }
    query: undefined
    body: DisableTwoStepBody
    reply: Empty
    takesKey: false
  }
  /** Disconnect the carrier account */
  disconnectCarrierAccount: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: Empty
    takesKey: false
  }
  /** Change the delivery instructions */
  editDeliveryInstructions: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: EditDeliveryInstructionsBody
    reply: Order
    takesKey: true
  }
  /** Sign out everywhere but here */
  endOtherSessions: {
    params: {
      id: UserId
    }
    query: undefined
    body: undefined
    reply: EndOtherSessionsReply
    takesKey: false
  }
  /** Sign one of the own sessions out */
  endSession: {
    params: {
      id: UserId
      session: UserId
    }
    query: undefined
    body: undefined
    reply: Empty
    takesKey: false
  }
  /** Export the details of up to 200 orders as CSV */
  exportDetails: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: ExportDetailsBody
    reply: BatchStarted
    takesKey: true
  }
  /** When nearly late and late orders ring, and whether the alarm is quiet while the shop is closed */
  getAlarmRules: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: AlarmRules
    takesKey: false
  }
  /** How far a batch is, and its files */
  getBatch: {
    params: {
      tmk: MerchantKey
      batch_id: string
    }
    query: undefined
    body: undefined
    reply: GetBatchReply
    takesKey: false
  }
  /** Billing record, account number masked */
  getBilling: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetBillingReply
    takesKey: false
  }
  /** The merchant's carrier account */
  getCarrierAccount: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetCarrierAccountReply
    takesKey: false
  }
  /** The same orders by the clerk who decided first; for managers and owners */
  getClerkFigures: {
    params: {
      tmk: MerchantKey
    }
    query: {
      day?: Day
    }
    body: undefined
    reply: GetClerkFiguresReply
    takesKey: false
  }
  /** The orders that were received on a day of the shop: by hour, decided, how fast, late and why. Ours, beside the specified calls */
  getDayFigures: {
    params: {
      tmk: MerchantKey
    }
    query: {
      day?: Day
    }
    body: undefined
    reply: GetDayFiguresReply
    takesKey: false
  }
  /** A published banner document; 404 when nothing is published */
  getDocument: {
    params: {
      name: 'welcome_message' | 'merchant_dashboard_news'
    }
    query: undefined
    body: undefined
    reply: GetDocumentReply
    takesKey: false
  }
  /** Delivery hours */
  getHours: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetHoursReply
    takesKey: false
  }
  /** The merchant's details */
  getMerchant: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: Merchant
    takesKey: false
  }
  /** The merchant's details, at their older address */
  getMerchantLegacy: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: Merchant
    takesKey: false
  }
  /** The name of the person on duty, who is told first when no screen of the shop watches */
  getOnDuty: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetOnDutyReply
    takesKey: false
  }
  /** Link to payment onboarding or to the provider dashboard */
  getOnboarding: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetOnboardingReply
    takesKey: false
  }
  /** One order, with its history */
  getOrder: {
    params: {
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: OrderDetail
    takesKey: false
  }
  /** The rules against an order, what must happen, what is good to know, and the sources of the rules */
  getOrderDuties: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: GetOrderDutiesReply
    takesKey: false
  }
  /** The orders before and after this one in the list of its tab, which is due first, or newest first */
  getOrdersBeside: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: GetOrdersBesideReply
    takesKey: false
  }
  /** The merchant's account with the payment provider */
  getPaymentAccount: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetPaymentAccountReply
    takesKey: false
  }
  /** The bottles to pick for up to 26 orders, and those that are picked. An unknown order is left out */
  getPicks: {
    params: {
      tmk: MerchantKey
    }
    query: {
      /** Order numbers with commas between them */
      orders: string
    }
    body: undefined
    reply: Picks
    takesKey: false
  }
  /** How many orders are late or soon due, and which come next */
  getQueue: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: Queue
    takesKey: false
  }
  /** What one shift hands over to the next: open, late, soon due, waiting for a label, problems, on hold, and who has taken what. Ours */
  getShift: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetShiftReply
    takesKey: false
  }
  /** The rules of law and carriers, and what the shop has decided about each; none of it is legal advice */
  getShopDuties: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetShopDutiesReply
    takesKey: false
  }
  /** Legacy bank account of the merchant */
  getSubmerchant: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetSubmerchantReply
    takesKey: false
  }
  /** How long a customer may think about substitutes, and what silence means */
  getSubstituteSettings: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: SubstituteSettings
    takesKey: false
  }
  /** Whether signing in takes a second step */
  getTwoStep: {
    params: {
      id: UserId
    }
    query: undefined
    body: undefined
    reply: GetTwoStepReply
    takesKey: false
  }
  /** Whether everybody in the merchant has to sign in in two steps */
  getTwoStepRequirement: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetTwoStepRequirementReply
    takesKey: false
  }
  /** Read a user's own record, or a colleague's as owner */
  getUser: {
    params: {
      id: UserId
    }
    query: undefined
    body: undefined
    reply: User
    takesKey: false
  }
  /** The merchant that the user may act for */
  getUserMerchant: {
    params: {
      id: UserId
    }
    query: undefined
    body: undefined
    reply: GetUserMerchantReply
    takesKey: false
  }
  /** The people who are told when new orders wait and no screen of the shop watches, and how many watch now */
  getWatch: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: GetWatchReply
    takesKey: false
  }
  /** Invite a colleague by e-mail */
  inviteUser: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: InviteUserBody
    reply: User
    takesKey: false
  }
  /** The process runs */
  isAlive: {
    params: undefined
    query: undefined
    body: undefined
    reply: IsAliveReply
    takesKey: false
  }
  /** The process can serve: database and files can be written, and it is not about to stop. A refusal names the part under `errors` */
  isReady: {
    params: undefined
    query: undefined
    body: undefined
    reply: IsReadyReply
    takesKey: false
  }
  /** Join the merchant that asks, with the token of a mailed invitation. The account's password stays */
  joinTeam: {
    params: undefined
    query: undefined
    body: JoinTeamBody
    reply: Empty
    takesKey: false
  }
  /** Answer a question about an order with no: it stays held, with a reason */
  keepOrderHeld: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: KeepOrderHeldBody
    reply: Order
    takesKey: true
  }
  /** Let an order go that the caller took; that of a colleague stays taken. Ours */
  letOrderGo: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: Order
    takesKey: true
  }
  /** Let one order pass a rule that stands against it, or end the look at a missing check, with a reason */
  letOrderPass: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: LetOrderPassBody
    reply: Order
    takesKey: true
  }
  /** Let up to 200 orders go, as far as the caller took them. Ours */
  letOrdersGo: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: LetOrdersGoBody
    reply: LetOrdersGoReply
    takesKey: true
  }
  /** Orders that nobody of the merchant has noticed yet */
  listAlarms: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: Alarms
    takesKey: false
  }
  /** The courier services that do not tell the result of their ID checks, and whether the shop relies on them */
  listCourierChecks: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: ListCourierChecksReply
    takesKey: false
  }
  /** The newest files for inspectors, and how far each one is */
  listInspectorFiles: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: ListInspectorFilesReply
    takesKey: false
  }
  /** The order's shipping labels */
  listLabels: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: ({
      label_url: string | null
      carrier: string
      tracking_code: string
      box: number
      print_url: string | null
      media_type: string | null
      bought_at: Timestamp
      bought_by: string
    })[]
    takesKey: false
  }
  /** Orders of all merchants or of one, page by page; or the order with a reference */
  listMarketplaceOrders: {
    params: undefined
    query: {
      merchant?: string
      /** The thirstie_logistic_order_ref of the order. */
      ref?: string
      cursor?: string
      limit?: number
    }
    body: undefined
    reply: ListMarketplaceOrdersReply
    takesKey: false
  }
  /** All of the merchant's offerings */
  listMerchantOfferings: {
    params: {
      tmk: MerchantKey
    }
    query: {
      'filter[selling_with_thirstie]'?: 'true' | 'false'
    }
    body: undefined
    reply: ListMerchantOfferingsReply
    takesKey: false
  }
  /** Of several orders those that have notes, with the newest one. The marketplace never receives them */
  listNewestNotes: {
    params: {
      tmk: MerchantKey
    }
    query: {
      /** Order numbers with commas between them */
      orders: string
    }
    body: undefined
    reply: ListNewestNotesReply
    takesKey: false
  }
  /** The merchant's offerings by filter, page by page */
  listOfferings: {
    params: undefined
    query: {
      'filter[id]'?: string
      'filter[merchant]'?: string
      'filter[tpk]'?: string
      'filter[is_active]'?: 'true' | 'false'
      'filter[selling_with_thirstie]'?: 'true' | 'false'
      limit?: number
      offset?: number
    }
    body: undefined
    reply: ListOfferingsReply
    takesKey: false
  }
  /** Applications and delivery methods that orders can be filtered by */
  listOrderFilters: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: ListOrderFiltersReply
    takesKey: false
  }
  /** The shop's own notes on an order. The marketplace never receives them */
  listOrderNotes: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: Notes
    takesKey: false
  }
  /** One page of the order list */
  listOrders: {
    params: {
      tmk: MerchantKey
    }
    query: {
      limit?: number
      offset?: number
      cursor?: string
      'filter[tab]'?: 'active' | 'on_hold' | 'cancelled' | 'completed'
      'filter[application_ref]'?: string
      'filter[delivery_method]'?: string
      'filter[order_key]'?: Reference
      'filter[status]'?: string
      'filter[needs_a_look]'?: 'true'
      'filter[due]'?: 'late' | 'soon'
      'filter[late]'?: 'true'
      'filter[due_soon]'?: 'true'
      'filter[taken_by]'?: string
      'filter[slip]'?: 'missing'
      'filter[search]'?: string
      'filter[recipient_name]'?: string
      'filter[customer_email]'?: string
      'sort[date]'?: 'asc' | 'desc'
      'sort[due]'?: 'asc'
      sort?: 'due'
    }
    body: undefined
    reply: OrderPage
    takesKey: false
  }
  /** Which outside services are used, which of them answer, when each last failed, and why */
  listOutsideServices: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: ListOutsideServicesReply
    takesKey: false
  }
  /** The caller's own devices that receive push messages. Ours */
  listPushDevices: {
    params: {
      tmk: MerchantKey
    }
    query: {
      device?: string
    }
    body: undefined
    reply: ListPushDevicesReply
    takesKey: false
  }
  /** Roles of a user */
  listRoles: {
    params: {
      id: UserId
    }
    query: undefined
    body: undefined
    reply: ListRolesReply
    takesKey: false
  }
  /** Where the user is signed in, the newest first */
  listSessions: {
    params: {
      id: UserId
    }
    query: undefined
    body: undefined
    reply: ListSessionsReply
    takesKey: false
  }
  /** The store's notes from shift to shift */
  listShiftNotes: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: Notes
    takesKey: false
  }
  /** The merchant's users */
  listTeam: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: ListTeamReply
    takesKey: false
  }
  /** The caller's saved views of the order list, and those that the team shares. Ours */
  listViews: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: SavedViews
    takesKey: false
  }
  /** Make the file for an inspector: the sales of some days with their ID checks, refusals, signatures, couriers’ proofs and overrides, and the rules in force */
  makeInspectorFile: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: MakeInspectorFileBody
    reply: MakeInspectorFileReply
    takesKey: true
  }
  /** The public key of the shop's push messages (RFC 8292), made at the first use. Ours */
  makePushKey: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: undefined
    reply: MakePushKeyReply
    takesKey: false
  }
  /** Ask the customer whether another bottle may take the place of missing pieces */
  offerSubstitutes: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: OfferSubstitutesBody
    reply: Order
    takesKey: true
  }
  /** Count one bottle of a line as picked, by its scanned code, or without one by hand. The marketplace is not told */
  pickBottle: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: PickBottleBody
    reply: PickAnswer
    takesKey: true
  }
  /** Print slips and receipts of up to 200 orders */
  printReports: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: PrintReportsBody
    reply: BatchStarted
    takesKey: true
  }
  /** What the labels would cost; buys nothing. A purchase of the same within 15 minutes costs as much. Ours, beside the specified calls */
  quoteLabels: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: QuoteLabelsBody
    reply: QuoteLabelsReply
    takesKey: false
  }
  /** Events after a position, oldest first: for a receiver that missed some */
  readEvents: {
    params: undefined
    query: {
      /** The position of the last event that is known. Without it the answer begins with the oldest. */
      after?: number
      limit?: number
    }
    body: undefined
    reply: ReadEventsReply
    takesKey: false
  }
  /** Which merchant asks, with the token of a mailed invitation. Nothing changes */
  readInvitation: {
    params: undefined
    query: undefined
    body: ReadInvitationBody
    reply: ReadInvitationReply
    takesKey: false
  }
  /** Read an order */
  readOrder: {
    params: {
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: Order
    takesKey: false
  }
  /** The registered webhook and how it does */
  readWebhook: {
    params: undefined
    query: undefined
    body: undefined
    reply: ReadWebhookReply
    takesKey: false
  }
  /** Turn the one-time token of a sign-in link into a session */
  redeemHandover: {
    params: undefined
    query: undefined
    body: RedeemHandoverBody
    reply: Session
    takesKey: false
  }
  /** Ask the courier service how the delivery stands */
  refreshCourier: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: RefreshCourierReply
    takesKey: false
  }
  /** Where order events are sent, signed (Standard Webhooks) */
  registerWebhook: {
    params: undefined
    query: undefined
    body: RegisterWebhookBody
    reply: RegisterWebhookReply
    takesKey: false
  }
  /** Reject an order, wholly or in part, with a reason */
  rejectOrder: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: RejectOrderBody
    reply: Order
    takesKey: true
  }
  /** Send no more push messages to one of the caller's devices. Ours */
  removePushDevice: {
    params: {
      tmk: MerchantKey
      device: string
    }
    query: undefined
    body: undefined
    reply: RemovePushDeviceReply
    takesKey: false
  }
  /** Remove a saved view. Ours */
  removeView: {
    params: {
      tmk: MerchantKey
      view: string
    }
    query: undefined
    body: undefined
    reply: SavedViews
    takesKey: true
  }
  /** New recovery codes; the earlier ones end */
  renewRecoveryCodes: {
    params: {
      id: UserId
    }
    query: undefined
    body: RenewRecoveryCodesBody
    reply: RenewRecoveryCodesReply
    takesKey: false
  }
  /** The carrier's progress with a parcel */
  reportCarrierEvent: {
    params: {
      id: OrderId
    }
    query: undefined
    body: ReportCarrierEventBody
    reply: Order
    takesKey: true
  }
  /** The courier's progress with an order */
  reportCourierEvent: {
    params: {
      id: OrderId
    }
    query: undefined
    body: ReportCourierEventBody
    reply: Order
    takesKey: true
  }
  /** Say which order stands open on a screen; holds for some seconds unless it is said again */
  reportPresence: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: ReportPresenceBody
    reply: ReportPresenceReply
    takesKey: false
  }
  /** Say that a screen is live and awake: it receives the event stream, is visible, and draws */
  reportScreen: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: ReportScreenBody
    reply: ReportScreenReply
    takesKey: false
  }
  /** Request a courier pickup */
  requestCourier: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: RequestCourierBody
    reply: Order
    takesKey: true
  }
  /** Mail a link that sets a new password */
  requestPasswordReset: {
    params: undefined
    query: undefined
    body: RequestPasswordResetBody
    reply: Empty
    takesKey: false
  }
  /** Require two-step sign-in of everybody in the merchant, or no longer */
  requireTwoStep: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: RequireTwoStepBody
    reply: RequireTwoStepReply
    takesKey: false
  }
  /** Mail the invitation again; the earlier link ends */
  resendInvitation: {
    params: {
      tmk: MerchantKey
      id: UserId
    }
    query: undefined
    body: undefined
    reply: ResendInvitationReply
    takesKey: false
  }
  /** Set a new password with a reset token */
  resetPassword: {
    params: undefined
    query: undefined
    body: ResetPasswordBody
    reply: Empty
    takesKey: false
  }
  /** Token login: renew the session of a stored token */
  resumeSession: {
    params: undefined
    query: undefined
    body: undefined
    reply: Session
    takesKey: false
  }
  /** End a colleague's access to the merchant */
  revokeAccess: {
    params: {
      id: UserId
    }
    query: undefined
    body: RevokeAccessBody
    reply: User
    takesKey: false
  }
  /** Connect a carrier account */
  saveCarrierAccount: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: SaveCarrierAccountBody
    reply: SaveCarrierAccountReply
    takesKey: false
  }
  /** What happens when a local order is closed without the ID check that a rule asks for */
  saveClosing: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: SaveClosingBody
    reply: SaveClosingReply
    takesKey: true
  }
  /** Save who delivered to whom and when, without closing the order */
  saveDeliveryDetails: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: SaveDeliveryDetailsBody
    reply: SaveDeliveryDetailsReply
    takesKey: true
  }
  /** Send the caller's push messages to this device (RFC 8030, 8291) until its session is ended. Ours */
  savePushDevice: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: SavePushDeviceBody
    reply: SavePushDeviceReply
    takesKey: false
  }
  /** Save a view of the order list under a name. Ours */
  saveView: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: SaveViewBody
    reply: SavedViews
    takesKey: true
  }
  /** Search orders by number, name or e-mail */
  searchOrders: {
    params: {
      tmk: MerchantKey
    }
    query: {
      limit?: number
      offset?: number
      cursor?: string
      'filter[tab]'?: 'active' | 'on_hold' | 'cancelled' | 'completed'
      'filter[application_ref]'?: string
      'filter[delivery_method]'?: string
      'filter[order_key]'?: Reference
      'filter[status]'?: string
      'filter[needs_a_look]'?: 'true'
      'filter[due]'?: 'late' | 'soon'
      'filter[late]'?: 'true'
      'filter[due_soon]'?: 'true'
      'filter[taken_by]'?: string
      'filter[slip]'?: 'missing'
      'filter[search]'?: string
      'filter[recipient_name]'?: string
      'filter[customer_email]'?: string
      'sort[date]'?: 'asc' | 'desc'
      'sort[due]'?: 'asc'
      sort?: 'due'
    }
    body: undefined
    reply: OrderPage
    takesKey: false
  }
  /** Send directions to a phone, at most 20 an hour */
  sendTextMessage: {
    params: undefined
    query: undefined
    body: SendTextMessageBody
    reply: Empty
    takesKey: true
  }
  /** Sign in with e-mail and password */
  signIn: {
    params: undefined
    query: undefined
    body: SignInBody
    reply: Session
    takesKey: false
  }
  /** End the session */
  signOut: {
    params: undefined
    query: undefined
    body: undefined
    reply: Empty
    takesKey: false
  }
  /** Create an account */
  signUp: {
    params: undefined
    query: undefined
    body: SignUpBody
    reply: User
    takesKey: false
  }
  /** A secret for the authenticator app; it counts once a code of it was confirmed */
  startTwoStep: {
    params: {
      id: UserId
    }
    query: undefined
    body: StartTwoStepBody
    reply: StartTwoStepReply
    takesKey: false
  }
  /** Bottles of an order that had left the shop are back; the status stays with the marketplace. Ours, beside the specified calls */
  takeBottlesBack: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: TakeBottlesBackBody
    reply: Order
    takesKey: true
  }
  /** The caller takes the duty: is told first when no screen of the shop watches, by mail or by text */
  takeDuty: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: TakeDutyBody
    reply: TakeDutyReply
    takesKey: false
  }
  /** Take the bottle of a line off sale, until the next stock list that has it; the order keeps its status. The marketplace reads it at the offering, as after a report that none is there. Ours */
  takeOffSale: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: TakeOffSaleBody
    reply: PickOrder
    takesKey: true
  }
  /** Say "I take it" of an order: every screen shows who has it. Nobody is kept from deciding. Ours */
  takeOrder: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: TakeOrderBody
    reply: Order
    takesKey: true
  }
  /** Take up to 200 orders. Those that a colleague has are named, and stay with the colleague. Ours */
  takeOrders: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: TakeOrdersBody
    reply: TakeOrdersReply
    takesKey: true
  }
  /** The bottles are not back after all: the note of them was a mistake. Ours */
  undoCameBack: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: UndoCameBackBody
    reply: Order
    takesKey: true
  }
  /** Save when nearly late and late orders ring. It counts for orders that fall due from now on */
  updateAlarmRules: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: AlarmRules
    reply: AlarmRules
    takesKey: false
  }
  /** Accept the terms of service, or save the billing record */
  updateBilling: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: UpdateBillingBody
    reply: UpdateBillingReply
    takesKey: false
  }
  /** Save the delivery hours */
  updateHours: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: UpdateHoursBody
    reply: UpdateHoursReply
    takesKey: false
  }
  /** Save the store details */
  updateMerchant: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: UpdateMerchantBody
    reply: Merchant
    takesKey: false
  }
  /** Save the store's contacts */
  updateMerchantContacts: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: UpdateMerchantContactsBody
    reply: Merchant
    takesKey: false
  }
  /** Accept, ship, report items or close an order */
  updateOrder: {
    params: {
      id: OrderId
    }
    query: undefined
    body: UpdateOrderBody
    reply: Order
    takesKey: true
  }
  /** The same as PUT */
  updateOrderByPost: {
    params: {
      id: OrderId
    }
    query: undefined
    body: UpdateOrderByPostBody
    reply: Order
    takesKey: true
  }
  /** Save how long a customer may think about substitutes, and what silence means */
  updateSubstituteSettings: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: SubstituteSettings
    reply: SubstituteSettings
    takesKey: false
  }
  /** Save the own profile */
  updateUser: {
    params: {
      id: UserId
    }
    query: undefined
    body: UpdateUserBody
    reply: User
    takesKey: false
  }
  /** Save the people who are told when no screen of the shop watches; a field that is absent stays as it is */
  updateWatch: {
    params: {
      tmk: MerchantKey
    }
    query: undefined
    body: UpdateWatchBody
    reply: UpdateWatchReply
    takesKey: false
  }
  /** Void the order's labels while the carrier has not seen the parcel; the order can be shipped again */
  voidLabels: {
    params: {
      tmk: MerchantKey
      id: OrderId
    }
    query: undefined
    body: undefined
    reply: Order
    takesKey: false
  }
  /** Take back an invitation that was not accepted yet */
  withdrawInvitation: {
    params: {
      tmk: MerchantKey
      id: UserId
    }
    query: undefined
    body: undefined
    reply: Empty
    takesKey: false
  }
  /** Take back the question about substitutes that the customer has not answered */
  withdrawSubstitutes: {
    params: {
      tmk: MerchantKey
      id: OrderId
      offer: string
    }
    query: undefined
    body: undefined
    reply: Order
    takesKey: true
  }
}

/** The method and address of each call, and whether it takes an Idempotency-Key. */
export const lines = {
  acceptOrders: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/bulk/accept', takesKey: true },
  acknowledgeAlarms: { method: 'POST', path: '/m/v2/merchant/{tmk}/alarms/acknowledge', takesKey: false },
  addOrderNote: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/notes', takesKey: true },
  addShiftNote: { method: 'POST', path: '/m/v2/merchant/{tmk}/notes', takesKey: true },
  answerOffer: { method: 'POST', path: '/substitutes/{token}', takesKey: false },
  askOwner: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/duties/ask', takesKey: true },
  bringBack: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/refused_delivery', takesKey: true },
  buyLabels: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/shipping_labels', takesKey: true },
  buyManyLabels: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/bulk/labels', takesKey: true },
  cancelCourier: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/courier/cancel', takesKey: false },
  changeOrderStatus: { method: 'POST', path: '/marketplace/v1/orders/{id}/status', takesKey: true },
  changeRoles: { method: 'POST', path: '/a/v2/users/{id}/roles', takesKey: false },
  changeView: { method: 'PUT', path: '/m/v2/merchant/{tmk}/views/{view}', takesKey: true },
  confirmTwoStep: { method: 'POST', path: '/a/v2/users/{id}/two_step/confirmation', takesKey: false },
  correctAddress: { method: 'PUT', path: '/m/v2/merchant/{tmk}/orders/{id}/recipient', takesKey: true },
  correctTracking: { method: 'PUT', path: '/m/v2/merchant/{tmk}/orders/{id}/tracking', takesKey: true },
  countOrders: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/count', takesKey: false },
  createHandover: { method: 'POST', path: '/marketplace/v1/handover', takesKey: false },
  createOrder: { method: 'POST', path: '/marketplace/v1/orders', takesKey: true },
  decideCourierCheck: { method: 'PUT', path: '/m/v2/merchant/{tmk}/courier_checks/{service}', takesKey: true },
  decideDuty: { method: 'PUT', path: '/m/v2/merchant/{tmk}/duties/{rule}', takesKey: true },
  deleteOrderNote: { method: 'DELETE', path: '/m/v2/merchant/{tmk}/orders/{id}/notes/{note}', takesKey: true },
  deleteShiftNote: { method: 'DELETE', path: '/m/v2/merchant/{tmk}/notes/{note}', takesKey: true },
  disableTwoStep: { method: 'POST', path: '/a/v2/users/{id}/two_step/removal', takesKey: false },
  disconnectCarrierAccount: { method: 'DELETE', path: '/c/v2/merchants/{tmk}/carrier_integration', takesKey: false },
  editDeliveryInstructions: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/delivery_instructions', takesKey: true },
  endOtherSessions: { method: 'DELETE', path: '/a/v2/users/{id}/sessions', takesKey: false },
  endSession: { method: 'DELETE', path: '/a/v2/users/{id}/sessions/{session}', takesKey: false },
  exportDetails: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/bulk/details', takesKey: true },
  getAlarmRules: { method: 'GET', path: '/m/v2/merchant/{tmk}/alarms/rules', takesKey: false },
  getBatch: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/bulk/{batch_id}', takesKey: false },
  getBilling: { method: 'GET', path: '/c/v2/merchants/{tmk}/payments', takesKey: false },
  getCarrierAccount: { method: 'GET', path: '/c/v2/merchants/{tmk}/carrier_integration', takesKey: false },
  getClerkFigures: { method: 'GET', path: '/m/v2/merchant/{tmk}/today/clerks', takesKey: false },
  getDayFigures: { method: 'GET', path: '/m/v2/merchant/{tmk}/today', takesKey: false },
  getDocument: { method: 'GET', path: '/v1/documents/{name}', takesKey: false },
  getHours: { method: 'GET', path: '/c/v2/merchants/{tmk}/hours', takesKey: false },
  getMerchant: { method: 'GET', path: '/c/v2/merchants/{tmk}', takesKey: false },
  getMerchantLegacy: { method: 'GET', path: '/m/v2/merchants/{tmk}', takesKey: false },
  getOnDuty: { method: 'GET', path: '/m/v2/merchant/{tmk}/watch/duty', takesKey: false },
  getOnboarding: { method: 'GET', path: '/v1/merchant/{tmk}/stripe', takesKey: false },
  getOrder: { method: 'GET', path: '/m/v2/orders/{id}', takesKey: false },
  getOrderDuties: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/{id}/duties', takesKey: false },
  getOrdersBeside: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/{id}/beside', takesKey: false },
  getPaymentAccount: { method: 'GET', path: '/c/v2/merchants/{tmk}/payments/stripe', takesKey: false },
  getPicks: { method: 'GET', path: '/m/v2/merchant/{tmk}/picks', takesKey: false },
  getQueue: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/queue', takesKey: false },
  getShift: { method: 'GET', path: '/m/v2/merchant/{tmk}/shift', takesKey: false },
  getShopDuties: { method: 'GET', path: '/m/v2/merchant/{tmk}/duties', takesKey: false },
  getSubmerchant: { method: 'GET', path: '/m/v2/payments/submerchant/{tmk}', takesKey: false },
  getSubstituteSettings: { method: 'GET', path: '/m/v2/merchant/{tmk}/substitutes', takesKey: false },
  getTwoStep: { method: 'GET', path: '/a/v2/users/{id}/two_step', takesKey: false },
  getTwoStepRequirement: { method: 'GET', path: '/c/v2/merchants/{tmk}/two_step', takesKey: false },
  getUser: { method: 'GET', path: '/a/v2/users/{id}', takesKey: false },
  getUserMerchant: { method: 'GET', path: '/a/v2/users/{id}/merchant', takesKey: false },
  getWatch: { method: 'GET', path: '/m/v2/merchant/{tmk}/watch', takesKey: false },
  inviteUser: { method: 'POST', path: '/c/v2/merchants/{tmk}/users', takesKey: false },
  isAlive: { method: 'GET', path: '/healthz', takesKey: false },
  isReady: { method: 'GET', path: '/readyz', takesKey: false },
  joinTeam: { method: 'POST', path: '/a/v2/accounts/invitation/acceptance', takesKey: false },
  keepOrderHeld: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/duties/keep_held', takesKey: true },
  letOrderGo: { method: 'DELETE', path: '/m/v2/merchant/{tmk}/orders/{id}/taken', takesKey: true },
  letOrderPass: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/duties/pass', takesKey: true },
  letOrdersGo: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/bulk/let_go', takesKey: true },
  listAlarms: { method: 'GET', path: '/m/v2/merchant/{tmk}/alarms', takesKey: false },
  listCourierChecks: { method: 'GET', path: '/m/v2/merchant/{tmk}/courier_checks', takesKey: false },
  listInspectorFiles: { method: 'GET', path: '/m/v2/merchant/{tmk}/inspector_files', takesKey: false },
  listLabels: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/{id}/shipping_labels', takesKey: false },
  listMarketplaceOrders: { method: 'GET', path: '/marketplace/v1/orders', takesKey: false },
  listMerchantOfferings: { method: 'GET', path: '/c/v2/merchants/{tmk}/offerings', takesKey: false },
  listNewestNotes: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/notes', takesKey: false },
  listOfferings: { method: 'GET', path: '/c/v2/offerings', takesKey: false },
  listOrderFilters: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/filters', takesKey: false },
  listOrderNotes: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/{id}/notes', takesKey: false },
  listOrders: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/optimized', takesKey: false },
  listOutsideServices: { method: 'GET', path: '/c/v2/merchants/{tmk}/outside_services', takesKey: false },
  listPushDevices: { method: 'GET', path: '/m/v2/merchant/{tmk}/push', takesKey: false },
  listRoles: { method: 'GET', path: '/a/v2/users/{id}/roles', takesKey: false },
  listSessions: { method: 'GET', path: '/a/v2/users/{id}/sessions', takesKey: false },
  listShiftNotes: { method: 'GET', path: '/m/v2/merchant/{tmk}/notes', takesKey: false },
  listTeam: { method: 'GET', path: '/c/v2/merchants/{tmk}/users', takesKey: false },
  listViews: { method: 'GET', path: '/m/v2/merchant/{tmk}/views', takesKey: false },
  makeInspectorFile: { method: 'POST', path: '/m/v2/merchant/{tmk}/inspector_files', takesKey: true },
  makePushKey: { method: 'PUT', path: '/m/v2/merchant/{tmk}/push/key', takesKey: false },
  offerSubstitutes: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/substitutes', takesKey: true },
  pickBottle: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/picks', takesKey: true },
  printReports: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/bulk/reports', takesKey: true },
  quoteLabels: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote', takesKey: false },
  readEvents: { method: 'GET', path: '/marketplace/v1/events', takesKey: false },
  readInvitation: { method: 'POST', path: '/a/v2/accounts/invitation', takesKey: false },
  readOrder: { method: 'GET', path: '/marketplace/v1/orders/{id}', takesKey: false },
  readWebhook: { method: 'GET', path: '/marketplace/v1/webhook', takesKey: false },
  redeemHandover: { method: 'POST', path: '/a/v2/sessions/handover', takesKey: false },
  refreshCourier: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/courier/refresh', takesKey: false },
  registerWebhook: { method: 'PUT', path: '/marketplace/v1/webhook', takesKey: false },
  rejectOrder: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/reject', takesKey: true },
  removePushDevice: { method: 'DELETE', path: '/m/v2/merchant/{tmk}/push/devices/{device}', takesKey: false },
  removeView: { method: 'DELETE', path: '/m/v2/merchant/{tmk}/views/{view}', takesKey: true },
  renewRecoveryCodes: { method: 'POST', path: '/a/v2/users/{id}/two_step/recovery_codes', takesKey: false },
  reportCarrierEvent: { method: 'POST', path: '/marketplace/v1/orders/{id}/carrier_events', takesKey: true },
  reportCourierEvent: { method: 'POST', path: '/marketplace/v1/orders/{id}/courier_events', takesKey: true },
  reportPresence: { method: 'PUT', path: '/m/v2/merchant/{tmk}/presence', takesKey: false },
  reportScreen: { method: 'PUT', path: '/m/v2/merchant/{tmk}/watch/screen', takesKey: false },
  requestCourier: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/courier', takesKey: true },
  requestPasswordReset: { method: 'POST', path: '/a/v2/accounts/password_token', takesKey: false },
  requireTwoStep: { method: 'POST', path: '/c/v2/merchants/{tmk}/two_step', takesKey: false },
  resendInvitation: { method: 'POST', path: '/c/v2/merchants/{tmk}/users/{id}/invitation', takesKey: false },
  resetPassword: { method: 'POST', path: '/a/v2/accounts/password', takesKey: false },
  resumeSession: { method: 'GET', path: '/a/v2/sessions', takesKey: false },
  revokeAccess: { method: 'POST', path: '/a/v2/users/{id}/data', takesKey: false },
  saveCarrierAccount: { method: 'PUT', path: '/c/v2/merchants/{tmk}/carrier_integration', takesKey: false },
  saveClosing: { method: 'PUT', path: '/m/v2/merchant/{tmk}/duties_closing', takesKey: true },
  saveDeliveryDetails: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/data', takesKey: true },
  savePushDevice: { method: 'PUT', path: '/m/v2/merchant/{tmk}/push/devices', takesKey: false },
  saveView: { method: 'POST', path: '/m/v2/merchant/{tmk}/views', takesKey: true },
  searchOrders: { method: 'GET', path: '/m/v2/merchant/{tmk}/orders/optimize', takesKey: false },
  sendTextMessage: { method: 'POST', path: '/m/v2/sms', takesKey: true },
  signIn: { method: 'POST', path: '/a/v2/sessions', takesKey: false },
  signOut: { method: 'POST', path: '/a/v2/logout', takesKey: false },
  signUp: { method: 'POST', path: '/a/v2/users', takesKey: false },
  startTwoStep: { method: 'POST', path: '/a/v2/users/{id}/two_step', takesKey: false },
  takeBottlesBack: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/came_back', takesKey: true },
  takeDuty: { method: 'PUT', path: '/m/v2/merchant/{tmk}/watch/duty', takesKey: false },
  takeOffSale: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/off_sale', takesKey: true },
  takeOrder: { method: 'PUT', path: '/m/v2/merchant/{tmk}/orders/{id}/taken', takesKey: true },
  takeOrders: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/bulk/take', takesKey: true },
  undoCameBack: { method: 'DELETE', path: '/m/v2/merchant/{tmk}/orders/{id}/came_back', takesKey: true },
  updateAlarmRules: { method: 'PUT', path: '/m/v2/merchant/{tmk}/alarms/rules', takesKey: false },
  updateBilling: { method: 'POST', path: '/c/v2/merchants/{tmk}/payments', takesKey: false },
  updateHours: { method: 'PUT', path: '/c/v2/merchants/{tmk}/hours', takesKey: false },
  updateMerchant: { method: 'POST', path: '/c/v2/merchants/{tmk}', takesKey: false },
  updateMerchantContacts: { method: 'POST', path: '/c/v2/merchants/{tmk}/data', takesKey: false },
  updateOrder: { method: 'PUT', path: '/m/v2/orders/{id}', takesKey: true },
  updateOrderByPost: { method: 'POST', path: '/m/v2/orders/{id}', takesKey: true },
  updateSubstituteSettings: { method: 'PUT', path: '/m/v2/merchant/{tmk}/substitutes', takesKey: false },
  updateUser: { method: 'POST', path: '/a/v2/users/{id}', takesKey: false },
  updateWatch: { method: 'PUT', path: '/m/v2/merchant/{tmk}/watch', takesKey: false },
  voidLabels: { method: 'POST', path: '/m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', takesKey: false },
  withdrawInvitation: { method: 'DELETE', path: '/c/v2/merchants/{tmk}/users/{id}/invitation', takesKey: false },
  withdrawSubstitutes: { method: 'DELETE', path: '/m/v2/merchant/{tmk}/orders/{id}/substitutes/{offer}', takesKey: true },
} as const satisfies Record<keyof Operations, { method: string; path: string; takesKey: boolean }>
