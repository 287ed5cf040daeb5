/** Both as YYYY-MM-DD. On the 21st birthday the person is old enough; one of the 29th of February has it on the 1st of March. */
export function isOver21(born: string, day: string): boolean {
  return `${Number(born.slice(0, 4)) + 21}${born.slice(4)}` <= day
}
