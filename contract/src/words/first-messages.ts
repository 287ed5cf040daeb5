/**
 * The fixed texts that the order list and a failed call show. They are apart from the rest because they come with the
 * first screen; `messages` has them too.
 */
export const firstMessages = {
  somethingWentWrong: 'Something went wrong',
  unhandledError: 'Unhandled Error',
  genericErrorPage: 'Error Occurred, please try again later',

  ordersFetchFailed: 'There was an error fetching your orders. Please contact Support.',
  noOrdersForCriteria: 'No orders for the current search criteria',
  noOrders: 'No orders available',
  endOfPage: 'End of Page',
  newOrders: (count: number) => (count === 1 ? '1 new order' : `${count} new orders`),
  packingSlipFailed: "Something went wrong, couldn't download the Print Packaging Slip.",
  presaleNotReady: 'PRESALE ORDER: NOT READY TO SHIP',
} as const
