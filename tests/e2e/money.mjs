/** Parses an amount as shown on screen, in 分. */
export const fenOf = (text) => Math.round(Number(text.replaceAll(/[¥,]/g, '').replace('−', '-')) * 100)

/** Returns all amounts in a text, in 分. */
export const figures = (text) => [...text.matchAll(/-?¥[\d,]+\.\d{2}/g)].map(([one]) => fenOf(one))
