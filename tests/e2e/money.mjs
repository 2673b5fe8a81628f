/** An amount as a screen writes it, in 分. */
export const fenOf = (text) => Math.round(Number(text.replaceAll(/[¥,]/g, '').replace('−', '-')) * 100)

/** All amounts of a text, in 分. */
export const figures = (text) => [...text.matchAll(/-?¥[\d,]+\.\d{2}/g)].map(([one]) => fenOf(one))
