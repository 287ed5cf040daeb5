import { roleLabel } from '@cellarhand/contract/roles'
import { merchantRoles } from '@cellarhand/contract/permissions'
import { NativeSelect } from '@mantine/core'

interface Props {
  name: string
  value: string
  error?: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}

const explained = {
  'merch.owner': 'full access',
  'merch.manager': 'everything but billing and changing the team',
  'merch.user': 'orders and inventory',
} as const

const roles = merchantRoles.toReversed()

export function RoleSelect(props: Props) {
  return (
    <NativeSelect label="Role" {...props}>
      <option value="" disabled>
        Choose a role
      </option>
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleLabel(role)}: {explained[role]}
        </option>
      ))}
    </NativeSelect>
  )
}
