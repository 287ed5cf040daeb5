import { hash, verify, type Options } from '@node-rs/argon2'

/** Argon2id with the OWASP cheat sheet's first choice; both functions run on libuv's threads, off the event loop. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Unicode has several spellings of the same characters; keyboards differ in which they send. */
const normal = (password: string) => password.normalize('NFC')

export async function hashPassword(password: string): Promise<string> {
  return hash(normal(password), cost)
}

let decoy: Promise<string> | undefined

/** Without a stored hash a decoy is checked, so that the time taken does not tell whether an account exists. */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  decoy ??= hashPassword('no account has this password')
  const matches = await verify(storedHash ?? (await decoy), normal(password))
  return storedHash !== null && matches
}
