import { password, type Rule } from '@cellarhand/contract/validation'

const commonPassword =
  'Many people use this password, so it is among the first that are guessed. Please choose another one.'

/**
 * The words of the passwords that published leaks show most often, and our own names. Digits and signs around a word,
 * and signs in place of its letters, make it no rarer: guessers try "P@ssw0rd2026!" as early as "password".
 */
const words = new Set(
  `password passwort passord losenord wachtwoord motdepasse contrasena senha parola haslo mypassword nopassword
  welcome welkom bienvenue willkommen letmein opensesame abracadabra changeme changeit secret topsecret trustno
  default guest admin administrator root user login access system server testing tester test demo sample temp
  master hello hellohello helloworld whatever nothing iloveyou loveyou lovely beautiful sweetheart sunshine
  princess angel babygirl family friends forever freedom lucky happy blessed jesus
  monkey dragon tiger lion eagle falcon phoenix dolphin butterfly unicorn flower rainbow
  football baseball basketball soccer hockey tennis softball volleyball skateboard snowboard
  superman batman spiderman ironman starwars startrek pokemon naruto matrix terminator harrypotter cinderella
  tinkerbell darthvader jedi hellokitty mickey minnie garfield snoopy scooby playstation nintendo xbox minecraft
  counterstrike warcraft finalfantasy callofduty needforspeed dragonball evangelion
  michael jordan jennifer jessica ashley amanda nicole michelle daniel thomas andrew joshua matthew robert
  charlie george hannah samantha elizabeth alexander alexandra alexandria anthony christopher christian
  jonathan benjamin nicholas stephanie maximilian aleksandr justinbieber ronaldo ronaldinho
  summer winter spring autumn january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday birthday christmas holiday vacation
  chocolate cookie cheese banana strawberry blueberry blackberry watermelon coffee pepper ginger
  computer internet google facebook linkedin twitter youtube samsung microsoft windows blink
  mustang ferrari mercedes porsche corvette harley lamborghini volkswagen chevrolet yamaha honda
  liverpool manchester arsenal chelsea barcelona realmadrid juventus yankees cowboys steelers lakers
  america canada england london newyork california washington losangeles mississippi deutschland
  metallica ironmaiden slipknot nirvana evanescence limpbizkit
  purple orange silver golden diamond crystal killer hunter ranger shadow buster maverick warrior
  enterprise university information professional experience revolution supernatural unbelievable
  translator undertaker roadrunner ghostrider casablanca braveheart highlander underground lighthouse microphone
  mastermind supersonic armageddon bladerunner thunderbird goldfinger montecarlo copenhagen winchester summertime
  abrakadabra astalavista friendster sonyericsson syncmaster christophe aleksandra anastasiya konstantin
  cellarhand thirstie dashboard merchant marketplace spirits whiskey
  1122334455 1029384756 1357924680 1357908642 1020304050 0102030405 1123581321 4815162342 1213141516
  1472583690 7894561230 1098765432 1234512345 1234554321 123456654321 123454321`.split(/\s+/),
)

/** Keys side by side, and the alphabet; read backwards too. */
const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'asdfghjklqwertyuiop',
  'zxcvbnmasdfghjkl',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1qaz1qaz2wsx2wsx',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaqxswcdevfrbgtnhymju',
  'zaq1xsw2cde3vfr4bgt5',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1a2s3d4f5g6h7j8k9l',
  'a1s2d3f4g5h6j7k8l9',
  '1z2x3c4v5b6n7m',
  'z1x2c3v4b5n6m7',
  '1a2b3c4d5e6f7g8h9i',
  'a1b2c3d4e5f6g7h8i9',
  '123qweasdzxc',
].flatMap((row) => [row, [...row].toReversed().join('')])

const letterFor: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
/** Shorter pieces of a row occur in words, too. */
const shortestWalk = 4
const signsBesideWalk = [0, 1, 2, 3]

/** "abcabcabc" is "abc": the part that the text repeats from its beginning to its end. */
function repeatedPart(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1))
}

function isWalk(text: string): boolean {
  return text.length >= shortestWalk && rows.some((row) => row.includes(text))
}

/** "a123456789" and "12345678910": a long walk with up to three signs before or behind it. */
function isMostlyWalk(text: string): boolean {
  return signsBesideWalk.some(
    (count) => isWalk(text.slice(count)) || isWalk(text.slice(0, text.length - count)),
  )
}

function isGuessedFirst(text: string): boolean {
  const part = repeatedPart(text)
  return words.has(part) || isWalk(part)
}

/** From the first letter to the last. */
function coreOf(text: string): string {
  const signs = [...text]
  const isLetter = (sign: string) => /[a-z]/.test(sign)
  return signs.slice(signs.findIndex(isLetter), signs.findLastIndex(isLetter) + 1).join('')
}

function isCommon(given: string): boolean {
  const text = given.normalize('NFKC').toLowerCase()
  const core = coreOf(text)
  const spelled = [...core].map((sign) => letterFor[sign] ?? sign).join('')
  const isOneBitRepeated = repeatedPart(text).length < shortestWalk
  return isOneBitRepeated || isMostlyWalk(text) || [text, core, spelled].some(isGuessedFirst)
}

/** The rule for a password that somebody chooses. Only the server has it: the list is too long for a page. */
export const newPassword: Rule = (value) => password(value) ?? (isCommon(value) ? commonPassword : undefined)
