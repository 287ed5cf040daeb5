/** MM/DD/YYYY hh:mm am/pm by this device's clock (INV-003, GAP-175). */
export function formatLocal(momentMs: number): string {
  const at = new Date(momentMs)
  const two = (value: number): string => String(value).padStart(2, '0')
  const hour = at.getHours() % 12 || 12
  const day = `${two(at.getMonth() + 1)}/${two(at.getDate())}/${at.getFullYear()}`
  return `${day} ${two(hour)}:${two(at.getMinutes())} ${at.getHours() < 12 ? 'am' : 'pm'}`
}
