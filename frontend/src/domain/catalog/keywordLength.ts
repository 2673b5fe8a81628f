/** The server's maximum length of a search, in characters. A longer text is not sent. */
export const MAX_KEYWORD_LENGTH = 100
