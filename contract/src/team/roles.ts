/** A role without a label shows its name (GAP-165). */
export function roleLabel(role: string): string {
  const labels: Record<string, string> = {
    'merch.manager': 'Manager',
    'merch.owner': 'Owner',
    'merch.user': 'Member',
  }
  return Object.hasOwn(labels, role) ? (labels[role] ?? role) : role
}
