/** The names of the sealed values in `merchant_secrets`. */
export const taxIdSecret = 'tax id'
export const accountNumberSecret = 'bank account number'
