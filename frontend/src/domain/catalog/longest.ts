/** As long as this the server takes a search, in characters. Longer ones are kept as typed, and not sent. */
export const LONGEST_WORD = 100
