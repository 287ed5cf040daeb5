export function requireTitle(isRequired: boolean): string {
  return isRequired ? 'No Longer Require Two-Step Sign-In' : 'Require Two-Step Sign-In'
}
