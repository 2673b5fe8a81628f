/** A product, or a line with a product, as the API names it. */
type NamedProduct = { Brand: string | null | undefined } & (
  | { CustomerProductName: string }
  | { Name: string }
)

const squeeze = (text: string): string => text.replace(/\s/g, '').toLowerCase()

/** Return `name` with the brand in front, unless it already starts with the brand. */
export const prependBrand = (brand: string | null | undefined, name: string): string =>
  !brand || !name || squeeze(name).startsWith(squeeze(brand)) ? name : `${brand} ${name}`

/**
 * Return the product's name as every card, line and label shows it: the brand, then the customer's
 * own name, or the mall's name if the customer has none.
 */
export const getProductTitle = (product: NamedProduct): string =>
  prependBrand(
    product.Brand,
    'CustomerProductName' in product ? product.CustomerProductName : product.Name,
  )

/**
 * Return the mall's name (商城品名) for the line below the title, with the brand in front. Returns
 * '' if the title shows it already, and without a name.
 */
export const getMallTitle = (product: NamedProduct, mallName: string): string => {
  const title = prependBrand(product.Brand, mallName)
  return title === getProductTitle(product) ? '' : title
}
