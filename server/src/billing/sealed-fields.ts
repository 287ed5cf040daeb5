/** The names of what is sealed in `merchant_secrets`. */
export const taxIdSecret = 'tax id'
export const accountNumberSecret = 'bank account number'
