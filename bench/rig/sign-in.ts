/** Signs in as the dashboard does, with the demo's password. */
export async function signIn(origin: string, email: string): Promise<string> {
  const reply = await fetch(`${origin}/a/v2/sessions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('dashboard:dashboard').toString('base64')}`,
    },
    body: JSON.stringify({ email, password: 'cellarhand-demo' }),
  })
  const { token } = (await reply.json()) as { token: string }
  return token
}
