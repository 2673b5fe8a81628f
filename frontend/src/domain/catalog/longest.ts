/** The server's maximum length of a search, in characters. A longer text is not sent. */
export const LONGEST_WORD = 100
